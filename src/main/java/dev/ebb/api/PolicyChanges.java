package dev.ebb.api;

import dev.ebb.api.PolicyAdmin.Outcome;
import dev.ebb.domain.policy.PolicyBatch;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;

/** Sends changes of policies and holds, and answers what became of them. */
final class PolicyChanges {

    private final PolicyAdmin policies;
    private final Duration wait;

    PolicyChanges(PolicyAdmin policies, Duration wait) {
        this.policies = policies;
        this.wait = wait;
    }

    /** Answers 200 if the change is in force, 202 if it was sent and is not seen in force yet. */
    void publish(Context ctx, PolicyBatch change, List<ProblemView.Fault> warnings) {
        Outcome outcome =
                change.isEmpty() ? new Outcome(true, policies.current().version()) : policies.publish(change, wait);
        ctx.status(outcome.isInForce() ? 200 : 202);
        ApiJson.answer(ctx, PolicyRecordView.Changed.of(change, outcome, warnings));
    }
}
