package dev.ebb.domain.policy;

import dev.ebb.domain.source.Source;
import org.jspecify.annotations.Nullable;

/**
 * One policy, hold or source, or the settings, as a change would leave it.
 *
 * @param key the policy, hold or source
 * @param policy the policy after the change; null for a removal, and for a hold
 * @param hold the hold after the change; null for a release, and for a policy
 * @param settings the settings after the change; null for anything else
 * @param source the source after the change; null for a removal, and for anything else
 */
public record PolicyEdit(
        PolicyKey key,
        @Nullable RetentionPolicy policy,
        @Nullable Hold hold,
        @Nullable RetentionSettings settings,
        @Nullable Source source) {

    /** Makes the edit of a policy or a hold. */
    public PolicyEdit(PolicyKey key, @Nullable RetentionPolicy policy, @Nullable Hold hold) {
        this(key, policy, hold, null, null);
    }

    /** Returns the edit that brings these settings into force. */
    public static PolicyEdit of(RetentionSettings settings) {
        return new PolicyEdit(PolicyKey.SETTINGS, null, null, settings, null);
    }

    /** Returns the edit that brings the source into force. */
    public static PolicyEdit of(Source source) {
        return new PolicyEdit(PolicyKey.ofSource(source.name()), null, null, null, source);
    }

    /**
     * Returns true if more may be due after this edit than before.
     *
     * @param former the policy or hold in force under this key, as an edit that would set it
     */
    public boolean mayMakeDue(PolicyEdit former) {
        if (settings != null) {
            return former.settings == null || settings.mayMakeDue(former.settings);
        }
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

    /**
     * Returns true if the edit may end what kept events whose own TTL had passed: a hold, a guard, a lower bound of
     * TTLs, another anchor, or a mode in which nothing is deleted. It is then this edit that deletes them, and not their
     * producer (T-1). Values are compared record by record, so the result may be true where a narrower scope decides.
     *
     * @param former the policy or hold in force under this key, as an edit that would set it
     */
    public boolean freesOwnTtl(PolicyEdit former) {
        if (settings != null) {
            return former.settings == null || settings.freesOwnTtl(former.settings);
        }
        return key.isHold()
                || !RetentionPolicy.keepingOwnTtl(former.policy).equals(RetentionPolicy.keepingOwnTtl(policy));
    }

    /**
     * Returns the scope in which more may be due once this policy or hold is replaced; null for a hold that does not
     * exist.
     */
    public @Nullable Scope touched() {
        if (settings != null) {
            return Scope.ALL;
        }
        return hold == null ? key.scope() : hold.covers();
    }

    /** Returns true if the author allows the change to delete more than the brake allows. */
    public boolean isConfirmed() {
        return policy != null && Boolean.TRUE.equals(policy.confirmed());
    }
}
