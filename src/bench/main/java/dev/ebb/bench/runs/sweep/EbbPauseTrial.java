package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import dev.ebb.bench.stack.ThreadWatch;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;

/**
 * Ebb with many streams: a policy of all streams changes and deletes nothing, a hold on all of them is placed and
 * released, and then everything expires. All changes are declared in the usual way, so that the brake counts too.
 */
final class EbbPauseTrial implements Trial<Pauses> {

    private static final Hold HOLD = new Hold("BENCH-1", Scope.ALL, "measured", "bench", 0);

    private final InputTopic input;
    private final Contents left;
    private final long due;

    EbbPauseTrial(InputTopic input) {
        this.input = input;
        this.left = Model.guarded(input.workload());
        this.due = input.expected().events() - left.events();
    }

    @Override
    public String name() {
        return "ebb";
    }

    /** Returns more than the default: idle time warms nothing up, so 20 s of a run are not 20 s of work. */
    @Override
    public int warmUps() {
        return 3;
    }

    @Override
    public Pauses run() throws InterruptedException {
        Lane lane = input.lane();
        lane.renewTopics();
        try (EbbApp app = EbbApp.start(lane, Policies.KEEP)) {
            app.take(input.lastOffsets());
            lane.stack().rest();
            ThreadWatch threads = app.application().threads();
            Policies policies = new Policies(lane);
            threads.reset();
            app.awaitNewPolicies(
                    () -> policies.declare(ageOf(Limit.of(Duration.ofDays(365).toMillis()))));
            app.awaitNewPolicies(() -> policies.place(HOLD));
            app.awaitNewPolicies(() -> policies.release(HOLD));
            double change = millis(threads.longestWork());
            double changeCpu = millis(threads.longestWorkCpu());

            app.expirations().expect(due);
            threads.reset();
            policies.declare(ageOf(Limit.of(1)).toBuilder().confirmed(true).build());
            app.expirations().await(Expirations.LIMIT);
            app.awaitCommitted();
            Pauses pauses = new Pauses(
                    millis(threads.longestWork()),
                    millis(threads.longestPause()),
                    millis(threads.longestWorkCpu()),
                    change,
                    changeCpu);
            app.requireContents(left);
            return pauses;
        }
    }

    private static RetentionPolicy ageOf(Limit maxAge) {
        return RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.OCCURRED)
                .maxAge(maxAge)
                .build();
    }

    static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
