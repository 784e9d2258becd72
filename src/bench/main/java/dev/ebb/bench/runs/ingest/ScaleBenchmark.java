package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.Versus;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbFleet;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import dev.ebb.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** B-14: ingest and sweep with more partitions, threads and instances, each against one of each. Reported. */
public final class ScaleBenchmark {

    private static final int SHORT_EVENTS = 100_000;
    private static final int LONG_EVENTS = 1_000_000;
    private static final int STREAMS = 1000;

    /** The last is the one that the others are compared with. */
    private static final List<Shape> SHAPES = List.of(
            new Shape("four instances", 4, 1, 4),
            new Shape("two instances", 2, 1, 2),
            new Shape("four threads", 4, 4, 1),
            new Shape("two threads", 2, 2, 1),
            new Shape("four partitions", 4, 1, 1),
            new Shape("two partitions", 2, 1, 1),
            new Shape("one", 1, 1, 1));

    private ScaleBenchmark() {}

    /** @param threads number of threads of each instance */
    private record Shape(String name, int partitions, int threads, int instances) {

        String slug() {
            return name.replace(' ', '-');
        }
    }

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            List<Trial<Speed>> trials = new ArrayList<>();
            for (Shape shape : SHAPES) {
                Lane lane = stack.lane(shape.slug(), shape.partitions());
                int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
                InputTopic input = InputTopic.fill(lane, settings.workload(events, STREAMS, lane.partitions()));
                trials.add(new ShapeTrial(shape, input, Model.guarded(input.workload())));
            }
            // All run the same code: in the short form the smallest compiles it for all.
            List<Trial<Speed>> warmed = settings.isLong() ? trials : trials.subList(trials.size() - 1, trials.size());
            new Duel<>(warmed, Speed::ingest, "events/s", progress).warmUp(settings, 1);
            Duel<Speed> duel = new Duel<>(trials, Speed::ingest, "events/s", progress);
            return figures(duel.run(settings, settings.isLong() ? settings.pairs() : 1));
        }
    }

    private static List<Figure> figures(List<Duel.Round<Speed>> rounds) {
        int last = SHAPES.size() - 1;
        List<Figure> figures = new ArrayList<>();
        for (Shape shape : SHAPES.subList(0, last)) {
            int place = SHAPES.indexOf(shape);
            List<Duel.Round<Speed>> both = rounds.stream()
                    .map(round -> new Duel.Round<>(List.of(round.of(place), round.of(last))))
                    .toList();
            Versus<Speed> one = new Versus<>(SHAPES.get(last).name(), both);
            String id = "B-14-" + shape.slug();
            figures.add(
                    one.figure(id + "-ingest", "ingest, " + shape.name(), "events/s", Target.REPORTED, Speed::ingest));
            figures.add(
                    one.figure(id + "-sweep", "sweep, " + shape.name(), "deletes/s", Target.REPORTED, Speed::sweep));
        }
        return figures;
    }

    /**
     * Rates of a run.
     *
     * @param ingest events a second, from the first to the last
     * @param sweep deletes a second, from the first until all are committed
     */
    private record Speed(double ingest, double sweep) {}

    /** Ebb in one shape: all events are taken in, and then all unprotected ones fall due. */
    private record ShapeTrial(Shape shape, InputTopic input, Contents left) implements Trial<Speed> {

        @Override
        public String name() {
            return shape.name();
        }

        @Override
        public Speed run() throws InterruptedException {
            input.lane().renewTopics();
            Map<String, String> threads = Map.of(Settings.STREAM_THREADS.key(), Integer.toString(shape.threads()));
            try (EbbFleet fleet = EbbFleet.start(input.lane(), Policies.KEEP, shape.instances(), threads)) {
                fleet.await(fleet::taken, input.records(), "not all events were taken in");
                fleet.apps().get(0).awaitCommitted();
                double ingest = input.records() * 1e9 / (fleet.lastTakenNanos() - fleet.firstTakenNanos());
                double sweep = sweep(fleet);
                VoidRunException.requireSame(name(), fleet.contents(), left);
                return new Speed(ingest, sweep);
            }
        }

        private double sweep(EbbFleet fleet) throws InterruptedException {
            long due = input.expected().events() - left.events();
            List<Expirations> all =
                    fleet.apps().stream().map(app -> app.expirations()).toList();
            all.forEach(deletions -> deletions.expect(due));
            new Policies(input.lane()).putInForce(Policies.DROP);
            fleet.await(() -> all.stream().mapToLong(Expirations::count).sum(), due, "not all events were deleted");
            fleet.apps().get(0).awaitCommitted();
            long first = all.stream()
                    .filter(deletions -> deletions.count() > 0)
                    .mapToLong(Expirations::firstNanos)
                    .min()
                    .orElseThrow();
            return due * 1e9 / (System.nanoTime() - first);
        }
    }
}
