package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.config.Settings;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Time that an application with many streams takes to start with its local state, until all partitions sweep again; and
 * heap that a stream needs: the heap in use after a collection, with the application and without it.
 */
public final class StartBenchmark implements Benchmark {

    private static final int SHORT_STREAMS = 200_000;
    private static final int LONG_STREAMS = 1_000_000;
    private static final int FEWER = 100;
    private static final int COLLECTIONS = 3;
    private static final long POLL_MS = 10;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Override
    public String id() {
        return "growth-start";
    }

    @Override
    public String title() {
        return "start with many streams, and the memory of a stream";
    }

    /**
     * One start.
     *
     * @param seconds time from the call until every partition has reported its status
     * @param heapBytes heap that the application needs then
     */
    private record Start(double seconds, double heapBytes) {}

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int many = settings.events(SHORT_STREAMS, LONG_STREAMS);
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Restarts first = Restarts.prepare(stack.lane("many"), settings.seed(), many, progress);
            Restarts second = Restarts.prepare(stack.lane("few"), settings.seed(), Math.max(1, many / FEWER), progress);
            Duel<Start> duel = new Duel<>(List.of(first, second), Start::seconds, "s", progress);
            duel.warmUp(settings, 1);
            List<Duel.Round<Start>> rounds = duel.run(settings, settings.pairs());
            List<Double> bytesPerStream = new ArrayList<>();
            rounds.forEach(round -> bytesPerStream.add(
                    (round.of(0).heapBytes() - round.of(1).heapBytes()) / (first.streams() - second.streams())));
            return List.of(
                    Figure.of(
                            "growth-start",
                            "start with " + first.name(),
                            "s",
                            second.name(),
                            Target.REPORTED,
                            rounds,
                            1,
                            Start::seconds),
                    Figure.alone("growth-start-heap", "heap of a stream", "bytes", Target.REPORTED, bytesPerStream));
        }
    }

    /** An application with one event in each stream, which is started again and again. */
    private record Restarts(Lane lane, String applicationId, InputTopic input, int streams) implements Trial<Start> {

        static Restarts prepare(Lane lane, long seed, int streams, Consumer<String> progress)
                throws InterruptedException {
            Workload workload = new Workload(
                    seed, streams, streams, lane.partitions(), System.currentTimeMillis(), Mix.PLAIN.eachStreamFirst());
            InputTopic input = InputTopic.fill(lane, workload, progress);
            new Policies(lane).putInForce(Policies.MONTH_FROM_OCCURRED);
            var config = lane.newConfig("ebb");
            EbbApp app = EbbApp.of(lane, config);
            app.application().start();
            app.take(input.lastOffsets());
            app.application().stop();
            return new Restarts(lane, config.get(Settings.APPLICATION_ID), input, streams);
        }

        @Override
        public String name() {
            return String.format(Locale.ROOT, "%,d streams", streams);
        }

        @Override
        public Start run() throws InterruptedException {
            double before = usedHeap();
            EbbApp app = EbbApp.of(lane, lane.config(applicationId, Map.of()));
            try {
                long begin = System.nanoTime();
                app.application().start();
                while (!app.application().isRunning()
                        || app.deletions().policyVersions().size() < lane.partitions()) {
                    app.check();
                    if (System.nanoTime() - begin > LIMIT.toNanos()) {
                        throw new VoidRunException("it did not start within " + LIMIT.toSeconds() + " s");
                    }
                    TimeUnit.MILLISECONDS.sleep(POLL_MS);
                }
                double seconds = (System.nanoTime() - begin) / 1e9;
                double heapBytes = usedHeap() - before;
                app.requireContents(input.expected());
                return new Start(seconds, heapBytes);
            } finally {
                app.application().stop();
            }
        }

        /**
         * Returns the heap in use after several collections, since one alone leaves objects that it has just found to
         * be unused.
         */
        private static double usedHeap() {
            for (int i = 0; i < COLLECTIONS; i++) {
                System.gc();
            }
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
    }
}
