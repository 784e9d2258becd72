package dev.ebb.bench.runs.rest;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * B-20-heap: the heap that a stream needs, by the heap in use after a collection: with an application that has just
 * started with the state of many streams, less that with few. It also tells how long each start took.
 */
public final class HeapBenchmark {

    private static final int SHORT_STREAMS = 200_000;
    private static final int LONG_STREAMS = 1_000_000;
    private static final int FEWER = 100;
    private static final int COLLECTIONS = 3;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private HeapBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int many = settings.events(SHORT_STREAMS, LONG_STREAMS);
        int few = Math.max(1, many / FEWER);
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Restarts first = Restarts.prepare(stack.lane("many"), settings, many, progress);
            Restarts second = Restarts.prepare(stack.lane("few"), settings, few, progress);
            Duel<Double> duel = new Duel<>(List.of(first, second), bytes -> bytes, "bytes of heap", progress);
            duel.warmUp(settings, 1);
            List<Double> ofStream = duel.run(settings, settings.pairs()).stream()
                    .map(round -> (round.of(0) - round.of(1)) / (many - few))
                    .toList();
            return List.of(Figure.alone("B-20-heap", "heap of a stream", "bytes", Target.valueAtMost(10, 1), ofStream));
        }
    }

    /** An application with one event in each stream, which is started again and again. */
    private record Restarts(Lane lane, String applicationId, InputTopic input, Consumer<String> progress)
            implements Trial<Double> {

        static Restarts prepare(Lane lane, BenchSettings settings, int streams, Consumer<String> progress)
                throws InterruptedException {
            InputTopic input = InputTopic.fill(
                    lane, settings.workload(streams, streams, lane.partitions()).with(Mix.PLAIN.eachStreamFirst()));
            String id = lane.newId(EbbApp.NAME);
            EbbApp app = EbbApp.keeping(lane, id);
            app.start();
            app.take(input.lastOffsets());
            app.application().stop();
            return new Restarts(lane, id, input, progress);
        }

        @Override
        public String name() {
            return String.format(Locale.ROOT, "%,d streams", input.workload().streams());
        }

        @Override
        public Double run() throws InterruptedException {
            double before = usedHeap();
            EbbApp app = EbbApp.keeping(lane, applicationId);
            try {
                long begin = System.nanoTime();
                app.start();
                Awaiting.until(() -> isReady(app), LIMIT, "it did not start");
                double seconds = (System.nanoTime() - begin) / 1e9;
                progress.accept(String.format(Locale.ROOT, "%s: ready after %.1f s", name(), seconds));
                double bytes = usedHeap() - before;
                app.requireContents(input.expected());
                return bytes;
            } finally {
                app.application().stop();
            }
        }

        private boolean isReady(EbbApp app) {
            app.check();
            return app.application().isRunning()
                    && app.deletions().policyVersions().size() >= lane.partitions();
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
