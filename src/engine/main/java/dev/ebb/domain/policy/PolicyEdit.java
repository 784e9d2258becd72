package dev.ebb.domain.policy;

import org.jspecify.annotations.Nullable;

/**
 * One policy or hold as a change would leave it.
 *
 * @param key which one
 * @param policy what it would be; null if it would be removed, and for a hold
 * @param hold what it would be; null if it would be released, and for a policy
 */
public record PolicyEdit(
        PolicyKey key,
        @Nullable RetentionPolicy policy,
        @Nullable Hold hold) {

    /** Whether the author has said that it may delete more than the brake allows. */
    public boolean isConfirmed() {
        return policy != null && Boolean.TRUE.equals(policy.confirmed());
    }
}
