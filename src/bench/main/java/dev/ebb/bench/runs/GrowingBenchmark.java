package dev.ebb.bench.runs;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.DueBatch;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** B-4: what it costs to expire a few events among few, among ten times and among a hundred times as many. */
final class GrowingBenchmark implements Benchmark {

    private static final int SHORT_EVENTS = 3_000_000;
    private static final int LONG_EVENTS = 30_000_000;
    private static final int SHORT_SIZES = 3;
    private static final int LONG_SIZES = 4;
    private static final int BATCH = 10_000;
    private static final int STREAMS = 1000;

    /** A round deletes little and waits for most of its time, so it takes many until the code is compiled. */
    private static final int WARM_UPS = 10;

    /** A round deletes for a tenth of a second, so the ratios of rounds differ by a half: many of them count. */
    private static final int ROUNDS_PER_PAIR = 3;

    @Override
    public String id() {
        return "B-4";
    }

    @Override
    public String title() {
        return "cost of expiring the same number of events among more and more that live";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int most = settings.events(SHORT_EVENTS, LONG_EVENTS);
        List<Integer> sizes = sizes(most, settings.isLong() ? LONG_SIZES : SHORT_SIZES);
        int batch = Math.max(1, Math.min(BATCH, sizes.get(sizes.size() - 1) / 3));
        List<Among> all = new ArrayList<>();
        try (BenchStack stack = BenchStack.start(settings.folder(), progress);
                Closing closing = () -> all.forEach(Among::close)) {
            for (int size : sizes) {
                all.add(Among.start(stack.lane("of-" + size), settings, size, batch, progress));
            }
            Duel<Double> duel = new Duel<>(List.copyOf(all), millis -> millis, "ms of stream threads", progress);
            duel.warmUp(WARM_UPS);
            List<Duel.Round<Double>> rounds = duel.run(ROUNDS_PER_PAIR * settings.pairs());
            for (Among each : all) {
                each.verify();
            }
            return figures(batch, all, rounds);
        }
    }

    /** Closes what has been started until then. */
    private interface Closing extends AutoCloseable {

        @Override
        void close();
    }

    /** The largest first, each a tenth of the one before. */
    static List<Integer> sizes(int most, int count) {
        return Stream.iterate(most, size -> size / 10)
                .limit(count)
                .map(size -> Math.max(3, size))
                .distinct()
                .toList();
    }

    /** All against the smallest; the largest has the id of the rule. */
    private static List<Figure> figures(int batch, List<Among> all, List<Duel.Round<Double>> rounds) {
        int smallest = all.size() - 1;
        List<Figure> figures = new ArrayList<>();
        for (int i = 0; i < smallest; i++) {
            int size = i;
            figures.add(Figure.of(
                    i == 0 ? "B-4" : "B-4-" + all.get(i).events(),
                    String.format(
                            Locale.ROOT, "expiring %,d of %s", batch, all.get(i).name()),
                    "ms CPU",
                    "of " + all.get(smallest).name(),
                    Target.ratioAtMost(1.2, 1.05),
                    rounds.stream()
                            .map(round -> new Figure.Pair(round.of(size), round.of(smallest)))
                            .toList()));
        }
        return figures;
    }

    /** An application that holds so many events and gets a batch for each run. */
    private record Among(int events, InputTopic input, EbbApp app, DueBatch batch)
            implements Trial<Double>, AutoCloseable {

        static Among start(Lane lane, BenchSettings settings, int events, int batch, Consumer<String> progress)
                throws InterruptedException {
            Workload live = new Workload(
                    settings.seed(), events - batch, STREAMS, lane.partitions(), System.currentTimeMillis());
            InputTopic input = InputTopic.fill(lane, live, progress);
            EbbApp app = EbbApp.start(lane, IngestBenchmark.MONTH_FROM_OCCURRED);
            app.take(input.lastOffsets());
            return new Among(events, input, app, new DueBatch(lane, app, batch, STREAMS, settings.seed()));
        }

        @Override
        public String name() {
            return String.format(Locale.ROOT, "%,d", events);
        }

        @Override
        public Double run() throws InterruptedException {
            return batch.expire().toNanos() / 1e6;
        }

        void verify() {
            app.requireContents(input.expected());
        }

        @Override
        public void close() {
            app.close();
        }
    }
}
