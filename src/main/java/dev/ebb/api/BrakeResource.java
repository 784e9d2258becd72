package dev.ebb.api;

import dev.ebb.api.PolicyAdmin.Outcome;
import dev.ebb.domain.policy.WaitingPolicy;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;

/** What the brake holds back, and how it is let through (O-8). */
final class BrakeResource implements ApiResource {

    private final PolicyAdmin policies;
    private final Duration wait;

    BrakeResource(PolicyAdmin policies, Duration wait) {
        this.policies = policies;
        this.wait = wait;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/v1/policies/waiting", this::list, "Changes that would delete much and are held back.")
                        .answers(WaitingPolicyView.All.class),
                ApiRoute.post("/v1/policies/confirm", this::confirm, "Lets through a change that is held back.")
                        .query("key", "The scope, or hold:<case>.")
                        .query("version", "The version that waits; without it whichever does.")
                        .query("actor", "Who confirms it.")
                        .query("reason", "Why.")
                        .answers(PolicyRecordView.Changed.class)
                        .answers(202, PolicyRecordView.Changed.class));
    }

    private void list(Context ctx) {
        QueryParams.refuseAll(ctx);
        ApiJson.answer(
                ctx,
                new WaitingPolicyView.All(
                        policies.waiting().stream().map(WaitingPolicyView::of).toList()));
    }

    private void confirm(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "key", "version", "actor", "reason");
        String key = params.text("key", "");
        String version = params.text("version", "");
        String actor = params.text("actor", "");
        String reason = params.text("reason", "");
        params.done();
        WaitingPolicy waiting = waiting(key, version);
        Outcome outcome = policies.confirm(waiting, actor, reason, wait);
        ctx.status(outcome.isInForce() ? 200 : 202);
        ApiJson.answer(
                ctx,
                new PolicyRecordView.Changed(
                        outcome.isInForce(), outcome.version(), List.of(key), List.of(), List.of(), List.of()));
    }

    private WaitingPolicy waiting(String key, String version) {
        WaitingPolicy waiting = policies.waiting().stream()
                .filter(each -> each.key().toString().equals(key))
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound("no change of '" + key + "' waits for a confirmation"));
        if (!version.isEmpty() && !version.equals(Long.toString(waiting.sourceOffset()))) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "version " + version + " does not wait any more; version " + waiting.sourceOffset() + " does");
        }
        return waiting;
    }
}
