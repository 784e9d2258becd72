package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.opponents.ExpiryIndexApp;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.DueBatch;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expiring;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * B-4: what it costs to expire a few events among few, among ten times and among a hundred times as many, and among as many in
 * a store ordered by time.
 */
public final class GrowingBenchmark implements Benchmark {

    private static final int SHORT_EVENTS = 1_000_000;
    private static final int LONG_EVENTS = 30_000_000;

    /** The store ordered by time holds no more. */
    private static final int INDEX_EVENTS = 3_000_000;

    private static final int LONG_SIZES = 4;

    /** The smallest in the short form, where it is the only other one: its batch is as large as in the long form. */
    private static final int SHORT_SHARE = 33;

    private static final int BATCH = 10_000;
    private static final int STREAMS = 1000;
    private static final Duration MONTH = Duration.ofDays(30);

    /** A round deletes little and waits for most of its time, so it takes many until the code is compiled. */
    private static final int WARM_UPS = 10;

    private static final int SHORT_WARM_UPS = 3;

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
        int most = settings.fewerEvents(SHORT_EVENTS, LONG_EVENTS);
        List<Integer> sizes =
                settings.isLong() ? sizes(most, LONG_SIZES) : List.of(most, Math.max(3, most / SHORT_SHARE));
        int batch = Math.max(1, Math.min(BATCH, sizes.get(sizes.size() - 1) / 3));
        List<Among> all = new ArrayList<>();
        try (BenchStack stack = BenchStack.start(settings.folder(), progress);
                Closing closing = () -> all.forEach(Among::close)) {
            for (int size : sizes) {
                Holding holding = new Holding(stack.lane("of-" + size), size, batch);
                all.add(Among.start(
                        holding, settings, progress, lane -> EbbApp.start(lane, Policies.MONTH_FROM_OCCURRED)));
            }
            if (settings.hasReported()) {
                int ofIndex = Math.min(most, INDEX_EVENTS);
                Holding holding = new Holding(stack.lane("index-of-" + ofIndex), ofIndex, batch);
                all.add(Among.start(holding, settings, progress, lane -> ExpiryIndexApp.start(lane, MONTH)));
            }
            Duel<Double> duel = new Duel<>(List.copyOf(all), millis -> millis, "ms of stream threads", progress);
            duel.warmUp(settings, settings.byLength(0, SHORT_WARM_UPS, WARM_UPS));
            List<Duel.Round<Double>> rounds = duel.run(settings, ROUNDS_PER_PAIR * settings.pairs());
            for (Among each : all) {
                each.verify();
            }
            return figures(batch, all, sizes.size(), rounds);
        }
    }

    /** The largest first, each a tenth of the one before. */
    static List<Integer> sizes(int most, int count) {
        return Stream.iterate(most, size -> size / 10)
                .limit(count)
                .map(size -> Math.max(3, size))
                .distinct()
                .toList();
    }

    /**
     * All against the smallest; the largest has the id of the rule.
     *
     * @param sizes number of Ebb's applications; the store ordered by time comes behind them, where it is measured
     */
    private static List<Figure> figures(int batch, List<Among> all, int sizes, List<Duel.Round<Double>> rounds) {
        int smallest = sizes - 1;
        List<Figure> figures = new ArrayList<>();
        for (int i = 0; i < smallest; i++) {
            String id = i == 0 ? "B-4" : "B-4-" + all.get(i).holding().events();
            Target target = Target.ratioAtMost(1.2, 1.05);
            figures.add(figure(id, batch, target, rounds, new Against(i, smallest, all)));
        }
        if (all.size() > sizes) {
            figures.add(againstIndex(batch, all, rounds));
        }
        return figures;
    }

    private static Figure againstIndex(int batch, List<Among> all, List<Duel.Round<Double>> rounds) {
        int index = all.size() - 1;
        int same = IntStream.range(0, index)
                .filter(i -> all.get(i).holding().events()
                        == all.get(index).holding().events())
                .findFirst()
                .orElseThrow();
        return figure("B-4-index", batch, Target.REPORTED, rounds, new Against(same, index, all));
    }

    private static Figure figure(
            String id, int batch, Target target, List<Duel.Round<Double>> rounds, Against against) {
        return Figure.of(
                id,
                String.format(Locale.ROOT, "expiring %,d of %s", batch, against.nameOf(against.one())),
                "ms CPU",
                "of " + against.nameOf(against.other()),
                target,
                rounds.stream()
                        .map(round -> new Figure.Pair(round.of(against.one()), round.of(against.other())))
                        .toList());
    }

    /** Two of the applications. */
    private record Against(int one, int other, List<Among> all) {

        String nameOf(int application) {
            return all.get(application).name();
        }
    }

    /** Events that an application holds, and the size of its batches. */
    private record Holding(Lane lane, int events, int batch) {}

    /** Starts an application on a lane. */
    @FunctionalInterface
    private interface Start {

        Expiring on(Lane lane) throws InterruptedException;
    }

    /** An application that holds so many events and gets a batch for each run. */
    private record Among(Holding holding, InputTopic input, Expiring app, DueBatch due)
            implements Trial<Double>, AutoCloseable {

        static Among start(Holding holding, BenchSettings settings, Consumer<String> progress, Start start)
                throws InterruptedException {
            Lane lane = holding.lane();
            int live = holding.events() - holding.batch();
            InputTopic input = InputTopic.fill(lane, settings.workload(live, STREAMS, lane.partitions()), progress);
            Expiring app = start.on(lane);
            app.take(input.lastOffsets());
            DueBatch due = new DueBatch(lane, app, holding.batch(), STREAMS, settings.seed());
            return new Among(holding, input, app, due);
        }

        @Override
        public String name() {
            String events = String.format(Locale.ROOT, "%,d", holding.events());
            return app instanceof EbbApp ? events : events + " in a store ordered by time";
        }

        @Override
        public Double run() throws InterruptedException {
            return due.expire().toNanos() / 1e6;
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
