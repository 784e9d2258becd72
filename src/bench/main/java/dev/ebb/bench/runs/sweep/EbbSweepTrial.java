package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.policy.RetentionPolicy;
import java.time.Duration;

/**
 * Ebb takes everything in under a policy that keeps it; then the policy changes and all unprotected events are due. The
 * time runs from the first delete until the last is committed, with changelog, tombstones for the mirror, and audit.
 */
final class EbbSweepTrial implements Trial<Rate> {

    private final InputTopic input;
    private final String name;
    private final RetentionPolicy drop;
    private final long due;
    private final Contents left;

    /** Makes a trial in which the policy that makes everything due is settled. */
    EbbSweepTrial(InputTopic input) {
        this(input, "ebb", Policies.DROP);
    }

    /** @param drop the policy that makes everything due */
    EbbSweepTrial(InputTopic input, String name, RetentionPolicy drop) {
        this.input = input;
        this.name = name;
        this.drop = drop;
        this.left = Model.guarded(input.workload());
        this.due = input.expected().events() - left.events();
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns more than the default: Ebb sweeps for a sixth of a run and rests for most of it; the compiler meanwhile
     * takes a fiftieth of the run (measured).
     */
    @Override
    public int warmUps() {
        return 5;
    }

    @Override
    public Rate run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        try (EbbApp app = EbbApp.start(lane, Policies.KEEP)) {
            app.take(input.lastOffsets());
            lane.stack().rest();
            Rate rate = sweep(app);
            app.requireContents(left);
            return rate;
        }
    }

    private Rate sweep(EbbApp app) throws InterruptedException {
        Lane lane = input.lane();
        Expirations deletions = app.expirations();
        deletions.expect(due);
        CpuMeter cpu = lane.stack().cpu();
        Duration cpuBefore = cpu.used();
        new Policies(lane).putInForce(drop);
        deletions.await(Expirations.LIMIT);
        app.awaitCommitted();
        long end = System.nanoTime();
        return new Rate(
                due, Duration.ofNanos(end - deletions.firstNanos()), cpu.used().minus(cpuBefore));
    }
}
