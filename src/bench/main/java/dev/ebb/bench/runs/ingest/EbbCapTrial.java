package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;

/**
 * Ebb under a cap: until all events are stored, all events over the cap are deleted again, and both are committed.
 *
 * @param left the events that are left in the end
 */
record EbbCapTrial(InputTopic input, Contents left) implements Trial<Rate> {

    private static final RetentionPolicy CAPPED = Policies.settled(
            RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(CapBenchmark.CAP)).build());

    @Override
    public String name() {
        return EbbApp.NAME;
    }

    @Override
    public Rate run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        CpuMeter cpu = lane.stack().cpu();
        try (EbbApp app = EbbApp.start(lane, CAPPED)) {
            app.expirations().expect(input.expected().events() - left.events());
            // The others have started long before their first command, and so must Ebb before its first event.
            app.awaitFirst();
            Duration cpuBefore = cpu.used();
            app.take(input.lastOffsets());
            app.expirations().await(Expirations.LIMIT);
            app.awaitCommitted();
            Duration took = Duration.ofNanos(System.nanoTime() - app.intake().firstNanos());
            Duration used = cpu.used().minus(cpuBefore);
            app.requireContents(left);
            return new Rate(input.records(), took, used);
        }
    }
}
