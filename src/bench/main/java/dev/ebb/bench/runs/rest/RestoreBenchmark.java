package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.EbbContender;
import dev.ebb.bench.opponents.TableContender;
import dev.ebb.bench.runs.rest.RestoreTrial.Restore;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.MergeThreads;
import dev.ebb.bench.stack.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** B-11: the speed of a restore from the changelog, against a table; and the memory of few and of many events. */
public final class RestoreBenchmark implements Benchmark {

    private static final int SHORT_EVENTS = 400_000;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int STREAMS = 1000;
    private static final String MERGED = "restore until all is merged";
    private static final String MEMORY = "resident memory";

    @Override
    public String id() {
        return "B-11";
    }

    @Override
    public String title() {
        return "restore from the changelog, against builder.table(); memory of few and of many events";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
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
        Lane ebb = stack.lane("restore");
        Lane bare = stack.lane("table");
        Workload workload = settings.workload(events, STREAMS, ebb.partitions());
        InputTopic byStream = InputTopic.fill(ebb, workload, progress);
        InputTopic byEvent = InputTopic.fill(bare, workload, EventSender.BY_IDENTITY, progress);
        Duel<Restore> duel = new Duel<>(
                List.of(
                        RestoreTrial.prepare(byStream, new EbbContender(ebb, Policies.MONTH_FROM_OCCURRED)),
                        RestoreTrial.prepare(byEvent, new TableContender(bare))),
                restore -> restore.merged().perSecond(),
                "events/s",
                progress);
        duel.warmUpEach(settings);
        return figures(duel.run(settings, settings.pairs()));
    }

    private static List<Figure> figures(List<Duel.Round<Restore>> rounds) {
        String table = "builder.table()";
        Figure read = Figure.of(
                "B-11-read",
                "restore until the last record is read",
                "events/s",
                table,
                Target.REPORTED,
                rounds,
                1,
                restore -> restore.read().perSecond());
        if (!MergeThreads.isKnown()) {
            return List.of(
                    read, Figure.skipped("B-11", MERGED, table, "skipped: only Linux tells when files are merged"));
        }
        Target target = Target.ratioAtLeast(0.7, 1.0);
        return List.of(
                Figure.of("B-11", MERGED, "events/s", table, target, rounds, 1, restore -> restore.merged()
                        .perSecond()),
                Figure.of(
                        "B-11-cpu",
                        MERGED + ", CPU of all processes",
                        "events/CPU-s",
                        table,
                        target,
                        rounds,
                        1,
                        restore -> restore.merged().perCpuSecond()),
                read);
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
        Lane less = stack.lane("few");
        Workload large = settings.workload(many, STREAMS, lane.partitions());
        Workload small = settings.workload(few, STREAMS, less.partitions());
        MemoryTrial first = new MemoryTrial(InputTopic.fill(lane, large, progress));
        MemoryTrial second = new MemoryTrial(InputTopic.fill(less, small, progress));
        Duel<Double> duel = new Duel<>(List.of(first, second), mib -> mib, "MiB", progress);
        return Figure.of(
                "B-11-memory",
                MEMORY + ", " + first.name(),
                "MiB",
                second.name(),
                Target.ratioAtMost(1.2, 1.1),
                duel.run(settings, settings.isLong() ? settings.pairs() : 1),
                1,
                mib -> mib);
    }
}
