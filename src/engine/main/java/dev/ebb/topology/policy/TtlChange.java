package dev.ebb.topology.policy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.time.Durations;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Effect of another TTL on a stored event.
 *
 * @param facts the event as it is
 * @param ttl its new TTL
 * @param policy the policy in force for its stream
 */
public record TtlChange(EventFacts facts, OwnTtl ttl, EffectivePolicy policy) {

    /** Returns the reason why the policy does not allow the new TTL; null if it does. */
    public @Nullable String problem() {
        if (ttl.noExpiration() && !policy.allowInfiniteTtl().value()) {
            return "the policy of " + policy.allowInfiniteTtl().source() + " allows no infinite TTL";
        }
        Long expiresAt = ttl.expiresAt();
        if (expiresAt == null) {
            return null;
        }
        long bounded = dueAtMs();
        long anchorMs = facts.anchorMs(policy.anchor().value());
        return bounded == expiresAt
                ? null
                : "by the policy it must end "
                        + (bounded > expiresAt ? "no earlier than " : "no later than ")
                        + Instant.ofEpochMilli(bounded) + ", " + Durations.format(bounded - anchorMs)
                        + " after the anchor";
    }

    /**
     * Describes the consequence of the change for people.
     *
     * @param goesAtOnce true if the next sweep removes the event
     */
    public String outcome(boolean goesAtOnce, long nowMs) {
        if (facts.isProtected()) {
            return "it is protected, and stays until its work is finished";
        }
        long dueAtMs = dueAtMs();
        if (dueAtMs == RetentionDecider.NEVER) {
            return "it is never due by age";
        }
        Instant due = Instant.ofEpochMilli(dueAtMs);
        if (goesAtOnce) {
            return "its last moment is " + due + ", which has passed: the next sweep deletes it";
        }
        return RetentionDecider.isPast(dueAtMs, nowMs)
                ? "its last moment is " + due + ", which has passed, but something keeps it: 'ebb explain' shows what"
                : "its last moment is " + due;
    }

    private long dueAtMs() {
        return RetentionDecider.dueAtMs(new Changed(facts, ttl), policy);
    }

    /** Event as it would be with another TTL. */
    private record Changed(EventFacts event, OwnTtl ttl) implements EventFacts {

        @Override
        public boolean isProtected() {
            return false;
        }

        @Override
        public long anchorMs(Anchor anchor) {
            return event.anchorMs(anchor);
        }

        @Override
        public long sizeBytes() {
            return event.sizeBytes();
        }
    }
}
