package dev.ebb.domain.policy.change;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A policy or a hold that came into force or went out of it, for the audit; or that somebody let it do so.
 *
 * @param auditId identifies the record
 * @param key the policy or hold that changed
 * @param version the version of the record that says so
 * @param policy the policy in force now; null if it was removed, for a hold, and for a confirmation
 * @param hold the hold in force now; null if it was released, for a policy, and for a confirmation
 * @param sourceOffset the offset of the record on the topic of policies that asked for it
 * @param actor who; empty if unknown
 * @param reason why; empty if unknown
 * @param changedAtMs when, epoch milliseconds
 * @param isConfirmation whether it says who let the change of that version through, instead of who asked for it
 */
public record PolicyChange(
        String auditId,
        PolicyKey key,
        long version,
        @Nullable RetentionPolicy policy,
        @Nullable Hold hold,
        long sourceOffset,
        String actor,
        String reason,
        long changedAtMs,
        boolean isConfirmation) {

    /** A change itself. */
    public PolicyChange(
            String auditId,
            PolicyKey key,
            long version,
            @Nullable RetentionPolicy policy,
            @Nullable Hold hold,
            long sourceOffset,
            String actor,
            String reason,
            long changedAtMs) {
        this(auditId, key, version, policy, hold, sourceOffset, actor, reason, changedAtMs, false);
    }

    /** What can change. */
    public enum Action {
        POLICY_SET,
        POLICY_REMOVED,
        HOLD_PLACED,
        HOLD_RELEASED,
        CONFIRMED
    }

    /** The confirmation of this change, which the brake had held back. */
    public PolicyChange confirmed(Confirmation confirmation) {
        return new PolicyChange(
                auditId + "-confirmed",
                key,
                version,
                null,
                null,
                sourceOffset,
                confirmation.actor(),
                confirmation.reason(),
                changedAtMs,
                true);
    }

    /** What was done. */
    public Action action() {
        if (isConfirmation) {
            return Action.CONFIRMED;
        }
        if (key.isHold()) {
            return hold == null ? Action.HOLD_RELEASED : Action.HOLD_PLACED;
        }
        return policy == null ? Action.POLICY_REMOVED : Action.POLICY_SET;
    }
}
