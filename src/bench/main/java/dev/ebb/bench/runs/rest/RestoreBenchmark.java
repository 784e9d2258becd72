package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.Versus;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.TableApp;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.MergeThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** B-11: the speed of a restore from the changelog, against a table; and the memory of few and of many events. */
public final class RestoreBenchmark {

    private static final int SHORT_EVENTS = 400_000;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int STREAMS = 1000;
    private static final String TABLE = "builder.table()";
    private static final String MERGED = "restore until all is merged";
    private static final String MEMORY = "resident memory";

    private RestoreBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int many = settings.events(SHORT_EVENTS, LONG_EVENTS);
        int few = Math.max(1, settings.isLong() ? many / 10 : many * 3 / 10);
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            List<Figure> figures = new ArrayList<>(restore(stack, settings, many, progress));
            figures.add(memory(stack, settings, few, many, progress));
            return figures;
        }
    }

    private static List<Figure> restore(BenchStack stack, BenchSettings settings, int events, Consumer<String> progress)
            throws InterruptedException {
        if (!MergeThreads.isKnown()) {
            return List.of(Figure.skipped("B-11", MERGED, TABLE, "skipped: only Linux tells when files are merged"));
        }
        Lane ebb = stack.lane("restore");
        Workload workload = settings.workload(events, STREAMS, ebb.partitions());
        InputTopic byStream = InputTopic.fill(ebb, workload);
        InputTopic byEvent = InputTopic.fill(stack.lane(TableApp.NAME), workload, EventSender.BY_IDENTITY);
        Duel<Rate> duel = new Duel<>(
                List.of(
                        RestoreTrial.prepare(EbbApp.NAME, byStream, EbbApp::keeping),
                        RestoreTrial.prepare(TableApp.NAME, byEvent, TableApp::new)),
                Rate::perSecond,
                "events/s",
                progress);
        duel.warmUpEach(settings);
        Target target = Target.ratioAtLeast(0.7, 1.0);
        Versus<Rate> table = new Versus<>(TABLE, duel.run(settings, settings.pairs()));
        return Versus.rates(table, "B-11", MERGED, "events", target, target);
    }

    /** Measures memory. Each run is a new process, so there is no warm-up. */
    private static Figure memory(BenchStack stack, BenchSettings settings, int few, int many, Consumer<String> progress)
            throws InterruptedException {
        if (settings.length() == BenchSettings.Length.SHORT) {
            return Figure.skipped("B-11-memory", MEMORY, "itself", "skipped: asks for the events of the long form");
        }
        if (!MemoryTrial.isKnown()) {
            return Figure.skipped("B-11-memory", MEMORY, "itself", "skipped: only Linux tells it");
        }
        Lane lane = stack.lane("many");
        MemoryTrial first = new MemoryTrial(InputTopic.fill(lane, settings.workload(many, STREAMS, lane.partitions())));
        MemoryTrial second =
                new MemoryTrial(InputTopic.fill(stack.lane("few"), settings.workload(few, STREAMS, lane.partitions())));
        Duel<Double> duel = new Duel<>(List.of(first, second), mib -> mib, "MiB", progress);
        List<Duel.Round<Double>> rounds = duel.run(settings, settings.isLong() ? settings.pairs() : 1);
        Target target = Target.ratioAtMost(1.2, 1.1);
        return new Versus<>(second.name(), rounds)
                .figure("B-11-memory", MEMORY + ", " + first.name(), "MiB", target, mib -> mib);
    }

    /**
     * The application as people run it ({@code ebb run}), in a separate process with the heap of its container: it takes an
     * input in, and then its resident set (Linux only) is measured, in MiB.
     */
    private record MemoryTrial(InputTopic input) implements Trial<Double> {

        private static final Duration SETTLE = Duration.ofSeconds(3);
        private static final double KIB_PER_MIB = 1024;

        @Override
        public String name() {
            return String.format(Locale.ROOT, "%,d events", input.records());
        }

        @Override
        public Double run() throws InterruptedException {
            Lane lane = input.lane();
            lane.renewTopics();
            try (EbbProcess app = EbbProcess.start(lane)) {
                app.take(input.lastOffsets());
                TimeUnit.MILLISECONDS.sleep(SETTLE.toMillis());
                return residentMib(app.pid());
            }
        }

        /** Returns true if this machine reports the resident set. */
        static boolean isKnown() {
            return Files.isReadable(Path.of("/proc/self/status"));
        }

        private static double residentMib(long pid) {
            try {
                String line = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                        .filter(each -> each.startsWith("VmRSS:"))
                        .findFirst()
                        .orElseThrow(() -> new VoidRunException("the application has ended"));
                return Long.parseLong(line.replaceAll("\\D", "")) / KIB_PER_MIB;
            } catch (IOException e) {
                throw new VoidRunException("the application has ended", e);
            }
        }
    }
}
