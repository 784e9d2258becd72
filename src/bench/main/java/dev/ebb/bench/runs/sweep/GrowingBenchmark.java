package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.DueBatch;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** B-4: what it costs to expire a few events among few, among ten times and among a hundred times as many. */
public final class GrowingBenchmark {

    private static final int SHORT_EVENTS = 1_000_000;
    private static final int LONG_EVENTS = 30_000_000;
    private static final int LONG_SIZES = 4;

    /** The smallest in the short form, where it is the only other one: its batch is as large as in the long form. */
    private static final int SHORT_SHARE = 33;

    private static final int BATCH = 10_000;
    private static final int STREAMS = 1000;

    /** A round deletes little and waits for most of its time, so it takes many until the code is compiled. */
    private static final int WARM_UPS = 10;

    private static final int SHORT_WARM_UPS = 3;

    /** A round deletes for a tenth of a second, so the ratios of rounds differ by a half: many of them count. */
    private static final int ROUNDS_PER_PAIR = 3;

    private GrowingBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        int most = settings.fewerEvents(SHORT_EVENTS, LONG_EVENTS);
        List<Integer> sizes =
                settings.isLong() ? sizes(most, LONG_SIZES) : List.of(most, Math.max(3, most / SHORT_SHARE));
        int batch = Math.max(1, Math.min(BATCH, sizes.get(sizes.size() - 1) / 3));
        List<Among> all = new ArrayList<>();
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            try {
                for (int size : sizes) {
                    all.add(Among.start(stack.lane("of-" + size), settings, size, batch));
                }
                Duel<Double> duel = new Duel<>(List.copyOf(all), millis -> millis, "ms of stream threads", progress);
                duel.warmUp(settings, settings.byLength(0, SHORT_WARM_UPS, WARM_UPS));
                List<Duel.Round<Double>> rounds = duel.run(settings, ROUNDS_PER_PAIR * settings.pairs());
                all.forEach(each -> each.app().requireContents(each.input().expected()));
                return figures(batch, sizes, rounds);
            } finally {
                all.forEach(each -> each.app().close());
            }
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

    /** Compares all with the smallest; the largest has the id of the rule. */
    private static List<Figure> figures(int batch, List<Integer> sizes, List<Duel.Round<Double>> rounds) {
        int smallest = sizes.size() - 1;
        List<Figure> figures = new ArrayList<>();
        for (int i = 0; i < smallest; i++) {
            int place = i;
            figures.add(Figure.of(
                    i == 0 ? "B-4" : "B-4-" + sizes.get(i),
                    String.format(Locale.ROOT, "expiring %,d of %,d", batch, sizes.get(i)),
                    "ms CPU",
                    String.format(Locale.ROOT, "of %,d", sizes.get(smallest)),
                    Target.ratioAtMost(1.2, 1.05),
                    rounds.stream()
                            .map(round -> new Figure.Pair(round.of(place), round.of(smallest)))
                            .toList()));
        }
        return figures;
    }

    /** An application that holds so many events and gets a batch for each run. */
    private record Among(int events, InputTopic input, EbbApp app, DueBatch due) implements Trial<Double> {

        static Among start(Lane lane, BenchSettings settings, int events, int batch) throws InterruptedException {
            InputTopic input = InputTopic.fill(lane, settings.workload(events - batch, STREAMS, lane.partitions()));
            EbbApp app = EbbApp.start(lane, Policies.MONTH_FROM_OCCURRED);
            app.take(input.lastOffsets());
            return new Among(events, input, app, new DueBatch(lane, app, batch, STREAMS, settings.seed()));
        }

        @Override
        public String name() {
            return String.format(Locale.ROOT, "%,d", events);
        }

        @Override
        public Double run() throws InterruptedException {
            return due.expire().toNanos() / 1e6;
        }
    }
}
