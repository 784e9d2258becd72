package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Shape;
import dev.ebb.bench.stack.EbbFleet;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.Headway;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Ebb in one shape: all events are taken in, and then all unprotected ones fall due. */
final class SeriesTrial implements Trial<SeriesTrial.Speed> {

    private final Shape shape;
    private final InputTopic input;
    private final Contents left;
    private final Consumer<String> progress;

    SeriesTrial(Shape shape, InputTopic input, Consumer<String> progress) {
        this.shape = shape;
        this.input = input;
        this.progress = progress;
        this.left = Model.guarded(input.workload());
    }

    /**
     * Rates of the run.
     *
     * @param ingest events a second, from the first to the last
     * @param sweep deletes a second, from the first until all are committed
     */
    record Speed(double ingest, double sweep) {}

    @Override
    public String name() {
        return shape.name();
    }

    @Override
    public Speed run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        try (EbbFleet fleet = EbbFleet.start(lane, Policies.KEEP, shape.instances(), shape.settings())) {
            double ingest = ingest(fleet);
            double sweep = sweep(fleet);
            VoidRunException.requireSame(name(), fleet.contents(), left);
            return new Speed(ingest, sweep);
        }
    }

    private double ingest(EbbFleet fleet) throws InterruptedException {
        fleet.await(fleet::taken, headway("taken in", input.records()));
        input.lane().awaitCommitted(input.lane().topics().mirrorEvents());
        return input.records() * 1e9 / (fleet.lastTakenNanos() - fleet.firstTakenNanos());
    }

    private double sweep(EbbFleet fleet) throws InterruptedException {
        long due = input.expected().events() - left.events();
        List<Expirations> all = new ArrayList<>();
        fleet.apps().forEach(app -> {
            app.expirations().expect(due);
            all.add(app.expirations());
        });
        new Policies(input.lane()).putInForce(Policies.DROP);
        fleet.await(() -> all.stream().mapToLong(Expirations::count).sum(), headway("deleted", due));
        input.lane().awaitCommitted(input.lane().topics().mirrorEvents());
        long first = all.stream()
                .filter(deletions -> deletions.count() > 0)
                .mapToLong(Expirations::firstNanos)
                .min()
                .orElseThrow();
        return due * 1e9 / (System.nanoTime() - first);
    }

    private Headway headway(String done, long events) {
        return new Headway("events " + done + " (" + name() + ")", events, progress);
    }
}
