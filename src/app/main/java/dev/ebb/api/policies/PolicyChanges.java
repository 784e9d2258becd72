package dev.ebb.api.policies;

import dev.ebb.api.door.SecondPerson;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.PolicyAdmin.Outcome;
import dev.ebb.wire.ProblemView;
import dev.ebb.wire.policies.PolicyRecordView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Sends changes of policies and holds, and answers with their outcomes. */
public record PolicyChanges(PolicyAdmin policies, Duration patience, SecondPerson second) {

    private static final String SAME_PERSON = "is held back although it was planned: api.second.person asks for another"
            + " person than the one who made the plan; another person confirms it";

    /**
     * Removes the policy or hold in force; where there is none, withdraws the change that the brake holds back.
     *
     * @param key the key of the record that is in force or waits
     */
    public void remove(Context ctx, PolicyKey key, String actor, String reason) {
        publish(ctx, new PolicyBatch(List.of(), List.of(), Set.of(key), actor, reason), List.of());
    }

    /** Answers 200 if the change is in force; 202 if it was sent, and is held back or not yet seen in force. */
    public void publish(Context ctx, PolicyBatch change, List<ProblemView.Fault> warnings) {
        PolicySet before = policies.current();
        requireSecond(ctx, change, before);
        answer(ctx, PolicyRecordView.Changed.of(change, before, publish(change, before), warnings));
    }

    /**
     * Publishes a planned change, and confirms what the brake holds back of it if the plan stands for that. The change
     * is refused if anything else has come into force since. Where two people are needed, a plan stands for the
     * confirmation only if another person has made it.
     *
     * @param before the policies for which the change was planned
     * @param plan the plan, as the answer shows it
     * @param isConfirmed tells whether the plan has named the deletes of the change, so that nothing is left to confirm
     * @param why the reason why it has not, for people
     */
    void publishPlanned(
            Context ctx,
            PolicyBatch change,
            PolicySet before,
            @Nullable PlanOutcome plan,
            Predicate<WaitingPolicy> isConfirmed,
            String why,
            List<ProblemView.Fault> warnings) {
        requireSecond(ctx, change, before);
        Outcome outcome = publish(change.on(before.edition()), before);
        boolean isDecided = outcome.isInForce() || !outcome.waiting().isEmpty();
        if (!isDecided && before.edition().isBefore(policies.current().edition())) {
            throw overtaken();
        }
        List<ProblemView.Fault> all = new ArrayList<>(warnings);
        List<WaitingPolicy> held = outcome.waiting();
        boolean isSecond = second.hasPlanned(ctx, plan);
        for (WaitingPolicy waiting : held) {
            if (!isSecond) {
                all.add(new ProblemView.Fault(waiting.key().toString(), SAME_PERSON));
            } else if (isConfirmed.test(waiting)) {
                outcome = policies.confirm(waiting, held.size(), change.actor(), change.reason(), patience)
                        .orElse(outcome);
            } else {
                all.add(new ProblemView.Fault(waiting.key().toString(), why));
            }
        }
        answer(ctx, PolicyRecordView.Changed.of(change, before, outcome, all).by(plan));
    }

    /** A hold is released by another person than the one who placed it. */
    private void requireSecond(Context ctx, PolicyBatch change, PolicySet before) {
        before.holds().values().stream()
                .filter(hold -> change.removals().contains(hold.key()))
                .forEach(hold -> second.require(ctx, hold.placedBy(), "placed the hold " + hold.caseId()));
    }

    private static ProblemException overtaken() {
        return new ProblemException(
                ProblemKind.REFUSED,
                "the file is not applied: another change of policies came into force since its plan was made;"
                        + " the audit names it; make a new plan");
    }

    private Outcome publish(PolicyBatch change, PolicySet before) {
        return change.isEmpty() ? new Outcome(true, before.version()) : policies.publish(change, patience);
    }

    private static void answer(Context ctx, PolicyRecordView.Changed changed) {
        ctx.status(changed.inForce() ? 200 : 202);
        ApiJson.answer(ctx, changed);
    }
}
