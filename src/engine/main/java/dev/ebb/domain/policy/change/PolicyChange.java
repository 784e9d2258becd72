package dev.ebb.domain.policy.change;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.source.Source;
import org.jspecify.annotations.Nullable;

/**
 * The audit's account of a policy or hold that came into force or went out of force, or of the confirmation of such a
 * change.
 *
 * @param auditId identifies the record
 * @param key the policy or hold that changed
 * @param version the version of the record of the change
 * @param policy the policy in force now; null if it was removed, for a hold, for the settings, and for a confirmation
 * @param hold the hold in force now; null if it was released, for a policy, and for a confirmation
 * @param source the source in force now; null if it was removed, for anything else, and for a confirmation
 * @param actor the person who asked for the change or confirmed it; empty if unknown
 * @param reason the reason for it; empty if unknown
 * @param changedAtMs the time of the change, epoch milliseconds
 * @param isConfirmation true if the actor confirmed the change of this version; false if the actor asked for it
 */
public record PolicyChange(
        String auditId,
        PolicyKey key,
        long version,
        @Nullable RetentionPolicy policy,
        @Nullable Hold hold,
        @Nullable Source source,
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
        SOURCE_SET,
        SOURCE_REMOVED,
        CONFIRMED
    }

    /** Creates the account of a change of anything but a source. */
    public PolicyChange(
            String auditId,
            PolicyKey key,
            long version,
            @Nullable RetentionPolicy policy,
            @Nullable Hold hold,
            String actor,
            String reason,
            long changedAtMs,
            boolean isConfirmation) {
        this(auditId, key, version, policy, hold, null, actor, reason, changedAtMs, isConfirmation);
    }

    /** Returns the confirmation of this change, which the brake had held back. */
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

    /** Returns the kind of this change. */
    public Action action() {
        if (isConfirmation) {
            return Action.CONFIRMED;
        }
        if (key.isHold()) {
            return hold == null ? Action.HOLD_RELEASED : Action.HOLD_PLACED;
        }
        if (key.isSource()) {
            return source == null ? Action.SOURCE_REMOVED : Action.SOURCE_SET;
        }
        return policy == null && !key.isSettings() ? Action.POLICY_REMOVED : Action.POLICY_SET;
    }
}
