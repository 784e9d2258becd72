package dev.ebb.domain.policy;

import org.jspecify.annotations.Nullable;

/**
 * One policy or hold as a change would leave it.
 *
 * @param key the policy or hold
 * @param policy the policy after the change; null if it would be removed, and for a hold
 * @param hold the hold after the change; null if it would be released, and for a policy
 */
public record PolicyEdit(
        PolicyKey key,
        @Nullable RetentionPolicy policy,
        @Nullable Hold hold) {

    /**
     * Returns true if more may be due after this edit than was before.
     *
     * @param former what was in force under that key: an edit that would put it there
     */
    public boolean mayMakeDue(PolicyEdit former) {
        if (key.isHold()) {
            Hold before = former.hold;
            return before != null && (hold == null || !hold.covers().equals(before.covers()));
        }
        RetentionPolicy before = former.policy;
        if (before == null || policy == null) {
            return before != null || policy != null;
        }
        return before.decidesOtherwise(policy);
    }

    /** The scope in which more may be due once something else is in force; null for a hold that is not there. */
    public @Nullable Scope touched() {
        return hold == null ? key.scope() : hold.covers();
    }

    /** Returns true if the author allows the change to delete more than the brake does. */
    public boolean isConfirmed() {
        return policy != null && Boolean.TRUE.equals(policy.confirmed());
    }
}
