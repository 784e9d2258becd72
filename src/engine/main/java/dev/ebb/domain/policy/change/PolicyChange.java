package dev.ebb.domain.policy.change;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Says for the audit that a policy or a hold came into force or went out of it, or that such a change was confirmed.
 *
 * @param auditId identifies the record
 * @param key the policy or hold that changed
 * @param version the version of the record of the change
 * @param policy the policy in force now; null if it was removed, for a hold, and for a confirmation
 * @param hold the hold in force now; null if it was released, for a policy, and for a confirmation
 * @param actor the person who asked for it or confirmed it; empty if unknown
 * @param reason the reason for it; empty if unknown
 * @param changedAtMs time of the change, epoch milliseconds
 * @param isConfirmation true if the actor is the person who confirmed the change of that version, instead of the one
 * who asked for it
 */
public record PolicyChange(
        String auditId,
        PolicyKey key,
        long version,
        @Nullable RetentionPolicy policy,
        @Nullable Hold hold,
        String actor,
        String reason,
        long changedAtMs,
        boolean isConfirmation) {

    /** Kinds of changes. */
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
                confirmation.actor(),
                confirmation.reason(),
                changedAtMs,
                true);
    }

    /** Kind of this change. */
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
