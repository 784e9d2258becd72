package dev.ebb.topology;

import dev.ebb.domain.policy.PolicySet;
import org.jspecify.annotations.Nullable;

/**
 * The policies in force as one instance sees them at one moment. Immutable.
 *
 * @param policies the policies
 * @param sourceOffset the newest offset of the topic of policies that is reflected; -1 for none
 * @param unreadable why a policy cannot be read yet, which stops all sweeps; null if there is none
 */
public record PolicyView(
        PolicySet policies, long sourceOffset, @Nullable String unreadable) {}
