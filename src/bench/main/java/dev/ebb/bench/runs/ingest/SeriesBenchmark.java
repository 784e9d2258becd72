package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Shape;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** Ingest and sweep of Ebb in several shapes in turn, each against the last of them. Reported, without a target. */
public final class SeriesBenchmark implements Benchmark {

    private static final int K = 1000;

    private final String id;
    private final String title;
    private final int shortEvents;
    private final int longEvents;
    private final List<Shape> shapes;

    private SeriesBenchmark(String id, String title, int shortEvents, int longEvents, Shape... shapes) {
        this.id = id;
        this.title = title;
        this.shortEvents = shortEvents;
        this.longEvents = longEvents;
        this.shapes = List.of(shapes);
    }

    /** Returns B-14: more partitions, threads and instances. */
    public static SeriesBenchmark scale() {
        return new SeriesBenchmark(
                "B-14",
                "ingest and sweep with one, two and four partitions, threads and instances",
                100 * K,
                1000 * K,
                Shape.spread("four instances", 4, 1, 4),
                Shape.spread("two instances", 2, 1, 2),
                Shape.spread("four threads", 4, 4, 1),
                Shape.spread("two threads", 2, 2, 1),
                Shape.spread("four partitions", 4, 1, 1),
                Shape.spread("two partitions", 2, 1, 1),
                Shape.spread("one", 1, 1, 1));
    }

    /** Returns a series with more streams and the same events. */
    public static SeriesBenchmark streams() {
        return new SeriesBenchmark(
                "growth-streams",
                "ingest and sweep with more streams",
                1000 * K,
                5000 * K,
                Shape.of("1 000 000 streams", 1, 1000 * K, Mix.USUAL.eachStreamFirst()),
                Shape.of("100 000 streams", 1, 100 * K, Mix.USUAL.eachStreamFirst()),
                Shape.of("10 000 streams", 1, 10 * K, Mix.USUAL.eachStreamFirst()));
    }

    /** Returns a series with more events in the same streams. */
    public static SeriesBenchmark events() {
        return new SeriesBenchmark(
                "growth-events",
                "ingest and sweep of more events",
                3000 * K,
                30_000 * K,
                Shape.of("all events", 1, K, Mix.USUAL),
                Shape.of("a tenth", 10, K, Mix.USUAL),
                Shape.of("a hundredth", 100, K, Mix.USUAL));
    }

    /** Returns a series with more partitions for the same threads. */
    public static SeriesBenchmark partitions() {
        return new SeriesBenchmark(
                "growth-partitions",
                "ingest and sweep with more partitions",
                300 * K,
                2000 * K,
                Shape.spread("64 partitions", 64, 2, 1),
                Shape.spread("16 partitions", 16, 2, 1),
                Shape.spread("4 partitions", 4, 2, 1),
                Shape.spread("1 partition", 1, 2, 1));
    }

    /** Returns a measurement of one stream with most of the traffic. */
    public static SeriesBenchmark hotStream() {
        return new SeriesBenchmark(
                "growth-hot",
                "ingest and sweep with one stream that has 90 % of the traffic",
                300 * K,
                2000 * K,
                Shape.of("90 % in one stream", 1, K, Mix.USUAL.hot(90)),
                Shape.of("by Zipf", 1, K, Mix.USUAL));
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            List<Trial<SeriesTrial.Speed>> trials = new ArrayList<>();
            for (Shape shape : shapes) {
                Lane lane = stack.lane(shape.slug(), shape.partitions());
                Workload workload = shape.workload(
                        settings.seed(), settings.events(shortEvents, longEvents), System.currentTimeMillis());
                trials.add(new SeriesTrial(shape, InputTopic.fill(lane, workload, progress), progress));
            }
            Duel<SeriesTrial.Speed> duel = new Duel<>(trials, SeriesTrial.Speed::ingest, "events/s", progress);
            warmUp(trials, settings, progress);
            return figures(duel.run(settings, settings.isLong() ? settings.pairs() : 1));
        }
    }

    /**
     * Warms up. All trials run the same code: in the short form the last trial, which is the smallest, runs it for all.
     */
    private static void warmUp(List<Trial<SeriesTrial.Speed>> trials, BenchSettings settings, Consumer<String> progress)
            throws InterruptedException {
        List<Trial<SeriesTrial.Speed>> warmed =
                settings.isLong() ? trials : trials.subList(trials.size() - 1, trials.size());
        new Duel<>(warmed, SeriesTrial.Speed::ingest, "events/s", progress).warmUp(settings, 1);
    }

    private List<Figure> figures(List<Duel.Round<SeriesTrial.Speed>> rounds) {
        List<Figure> figures = new ArrayList<>();
        for (int shape = 0; shape < shapes.size() - 1; shape++) {
            figures.add(figure(shape, "ingest", "events/s", rounds, SeriesTrial.Speed::ingest));
            figures.add(figure(shape, "sweep", "deletes/s", rounds, SeriesTrial.Speed::sweep));
        }
        return figures;
    }

    private Figure figure(
            int shape,
            String what,
            String unit,
            List<Duel.Round<SeriesTrial.Speed>> rounds,
            ToDoubleFunction<SeriesTrial.Speed> part) {
        int last = shapes.size() - 1;
        return Figure.of(
                id + "-" + shapes.get(shape).slug() + "-" + what,
                what + ", " + shapes.get(shape).name(),
                unit,
                shapes.get(last).name(),
                Target.REPORTED,
                rounds.stream()
                        .map(round -> new Figure.Pair(
                                part.applyAsDouble(round.of(shape)), part.applyAsDouble(round.of(last))))
                        .toList());
    }
}
