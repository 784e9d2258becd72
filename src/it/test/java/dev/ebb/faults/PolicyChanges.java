package dev.ebb.faults;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.faults.Rest.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Policies and holds change while a sweep passes over what they say: longer and shorter lives, mode warn, a policy that
 * is deleted, a hold that is placed and released. The oracle knows which version each deletion went by, and when each
 * partition had confirmed the hold.
 */
final class PolicyChanges implements Fault {

    private static final int EVENTS = 4000;
    private static final int LATEST_CHANGE_MS = 200;
    private static final int SHORTEST_HOLD_MS = 1000;
    private static final int LONGEST_CHANGE_MS = 3000;
    private static final Scope BURST = Scope.namespace("burst");
    private static final Limit HOUR = Limit.of(Duration.ofHours(1).toMillis());

    @Override
    public String name() {
        return "policies";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        int rounds = run.rounds(5, 15);
        for (int i = 0; i < rounds; i++) {
            Burst.send(stack, EVENTS).awaitSweeper();
            Thread.sleep(run.random().nextInt(LATEST_CHANGE_MS));
            switch (i % 5) {
                case 0 -> hold(stack, "case-" + i, run);
                case 1 ->
                    change(
                            stack,
                            RetentionPolicy.of(BURST)
                                    .set(PolicyField.MIN_TTL, HOUR)
                                    .build(),
                            run);
                case 2 ->
                    change(
                            stack,
                            RetentionPolicy.of(BURST).mode(PolicyMode.WARN).build(),
                            run);
                case 3 -> shorter(stack, run);
                default -> deleted(stack, run);
            }
            run.round();
        }
    }

    /** From the answer on, nothing that it covers may go; in the end it is released, and the sweep goes on. */
    private static void hold(FaultStack stack, String name, FaultRun run) throws IOException, InterruptedException {
        String path = "/v1/holds/" + name;
        must(Rest.send(
                "PUT",
                stack.any().url(),
                path + "?anyway=true",
                "{\"covers\":\"namespace:burst\",\"reason\":\"litigation\",\"placedBy\":\"eva\"}"));
        long before = stored(stack);
        Thread.sleep(SHORTEST_HOLD_MS + run.random().nextInt(LONGEST_CHANGE_MS - SHORTEST_HOLD_MS));
        long after = stored(stack);
        if (after < before) {
            throw new AssertionError("under an acknowledged hold " + (before - after) + " events went");
        }
        must(Rest.send("DELETE", stack.any().url(), path + "?actor=eva&reason=over", ""));
        run.remark(name + " kept " + after);
    }

    private static long stored(FaultStack stack) throws IOException, InterruptedException {
        return Rest.get(stack.any().url(), "/v1/namespaces/burst")
                .body()
                .path("events")
                .asLong(-1);
    }

    private static void must(Answer answer) {
        if (answer.status() / 100 != 2) {
            throw new AssertionError("the change of the hold is answered with " + answer);
        }
    }

    private static void change(FaultStack stack, RetentionPolicy policy, FaultRun run) throws InterruptedException {
        stack.kafka().publish(List.of(policy));
        Thread.sleep(run.random().nextInt(LONGEST_CHANGE_MS));
        stack.kafka().publish(LoadPolicies.all());
    }

    private static void shorter(FaultStack stack, FaultRun run) throws InterruptedException {
        Limit second = Limit.of(1000);
        stack.kafka()
                .publish(List.of(
                        RetentionPolicy.of(BURST)
                                .set(PolicyField.MAX_TTL, second)
                                .build(),
                        RetentionPolicy.of(Scope.namespace("flow"))
                                .maxAge(second)
                                .build(),
                        RetentionPolicy.of(Scope.namespace("cap"))
                                .maxCount(Limit.of(5))
                                .build()));
        Thread.sleep(run.random().nextInt(LONGEST_CHANGE_MS));
        stack.kafka().publish(LoadPolicies.all());
    }

    private static void deleted(FaultStack stack, FaultRun run) throws IOException, InterruptedException {
        for (String scope : List.of("namespace:burst", "namespace:late", "namespace:cap")) {
            must(Rest.send("DELETE", stack.any().url(), "/v1/policies/" + scope, ""));
        }
        Thread.sleep(run.random().nextInt(LONGEST_CHANGE_MS));
        stack.kafka().publish(LoadPolicies.all());
    }
}
