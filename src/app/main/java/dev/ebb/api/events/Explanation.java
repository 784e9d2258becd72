package dev.ebb.api.events;

import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.KeepReason;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.port.ExplainQueries.Standing;
import dev.ebb.serde.text.EventJson;
import dev.ebb.wire.EffectivePolicyView;
import dev.ebb.wire.events.ExplainView;
import dev.ebb.wire.events.ExplainView.BlockView;
import dev.ebb.wire.events.ExplainView.DecisionView;
import dev.ebb.wire.events.ExplainView.HoldView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts the decision about an event into words; the decision itself is the one that sweeps use. */
final class Explanation {

    private final StreamName stream;
    private final PolicySet policies;
    private final EffectivePolicy policy;
    private final long nowMs;
    private final List<BlockView> blocks = new ArrayList<>();

    /** @param nowMs the moment that the explanation is about, epoch milliseconds */
    Explanation(StreamName stream, PolicySet policies, long nowMs) {
        this.stream = stream;
        this.policies = policies;
        this.policy = policies.effective(stream);
        this.nowMs = nowMs;
    }

    /**
     * @param standing the event to explain; null for the stream alone
     * @param sweepProblems reasons why nothing of the stream goes at present
     * @param waiting the ends of executions that wait for events of the stream
     */
    ExplainView view(@Nullable Standing standing, List<String> sweepProblems, EndsInWaiting waiting) {
        List<Hold> holds = policies.holdsOn(stream);
        holds.forEach(hold -> block("HOLD", "hold " + hold.caseId() + " covers " + hold.covers()));
        DecisionView decision = standing == null ? null : decision(standing);
        blocksOfSweeps();
        sweepProblems.forEach(problem -> block("SWEEPER", problem));
        return new ExplainView(
                stream.value(),
                policies.version(),
                EffectivePolicyView.of(policy),
                holds.stream().map(HoldView::of).toList(),
                List.copyOf(blocks),
                waiting.sentence(),
                decision);
    }

    private DecisionView decision(Standing standing) {
        EventFacts facts = standing.facts();
        Decision decision = standing.decision();
        blocksOf(standing, decision);
        long due = facts.isProtected()
                ? RetentionDecider.NEVER
                : Math.max(RetentionDecider.dueAtMs(facts, policy), standing.noticeUntilMs());
        Execution execution = standing.execution();
        return new DecisionView(
                standing.event().event().id().value(),
                Instant.ofEpochMilli(nowMs),
                decision.isRemove() ? "REMOVE" : "KEEP",
                reason(decision),
                scope(decision),
                due == RetentionDecider.NEVER ? null : Instant.ofEpochMilli(due),
                standing.event().event().status(),
                facts.isProtected(),
                standing.event().event().execution(),
                execution == null ? null : execution.status());
    }

    private static String reason(Decision decision) {
        return decision instanceof Decision.Remove removal
                ? removal.cause().name()
                : ((Decision.Keep) decision).reason().name();
    }

    private @Nullable String scope(Decision decision) {
        return decision instanceof Decision.Remove removal
                ? RemovalRule.of(removal.cause(), policy, policies.version()).scope()
                : null;
    }

    private void blocksOf(Standing standing, Decision decision) {
        EventFacts facts = standing.facts();
        if (standing.noticeUntilMs() >= nowMs) {
            block(
                    "NOTICE",
                    "an undo has brought back events of its stream, which stand under a notice until "
                            + EventJson.time(standing.noticeUntilMs()));
        }
        if (facts.isProtected()) {
            String why = standing.event().isProtected()
                    ? "its status '" + standing.event().event().status() + "' is not a terminal one"
                    : "its execution " + standing.event().event().execution() + " is not terminal";
            block("PROTECTED", why);
        }
        guard(facts, decision);
        if (isKeptFor(KeepReason.INFINITE, decision)) {
            String scope = String.valueOf(policy.allowInfiniteTtl().source());
            block("INFINITE", "its producer set noExpiration, and " + scope + " allows that");
        }
    }

    private void guard(EventFacts facts, Decision decision) {
        long guardedMs =
                RetentionDecider.lastGuardedMs(facts.anchorMs(policy.anchor().value()), policy);
        if (!facts.isProtected() && nowMs <= guardedMs) {
            block("GUARD", "minAge of " + policy.minAge().source() + " keeps it until " + EventJson.time(guardedMs));
        } else if (isKeptFor(KeepReason.GUARDED, decision)) {
            var keepLast = policy.keepLast();
            block("GUARD", "keepLast " + keepLast.value() + " of " + keepLast.source() + " keeps it");
        }
    }

    private void blocksOfSweeps() {
        if (!policy.isEnforced()) {
            block(
                    "WARN",
                    "mode warn of " + policy.get(PolicyField.MODE).source() + ": sweeps report and delete nothing");
        }
        if (!policy.get(PolicyField.WINDOW).value().isOpen(nowMs)) {
            block(
                    "WINDOW",
                    "sweeps run in " + policy.get(PolicyField.WINDOW).value() + " only, says "
                            + policy.get(PolicyField.WINDOW).source());
        }
    }

    private static boolean isKeptFor(KeepReason reason, Decision decision) {
        return decision instanceof Decision.Keep keep && keep.reason() == reason;
    }

    private void block(String what, String detail) {
        blocks.add(new BlockView(what, detail));
    }
}
