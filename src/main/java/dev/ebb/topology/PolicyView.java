package dev.ebb.topology;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.WaitingPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The policies in force as one instance sees them at one moment. Immutable.
 *
 * @param policies the policies
 * @param sourceOffset the newest offset of the topic of policies that is reflected; -1 for none
 * @param unreadable why a policy cannot be read yet, which stops all sweeps; null if there is none
 * @param waiting what the brake holds back
 * @param holdVersion the version of the newest hold in force; {@link PolicySet#NO_VERSION} if none is
 */
public record PolicyView(
        PolicySet policies,
        long sourceOffset,
        @Nullable String unreadable,
        List<WaitingPolicy> waiting,
        long holdVersion) {

    public PolicyView {
        waiting = List.copyOf(waiting);
    }

    /** Nothing is held back, and no hold is in force. */
    public PolicyView(PolicySet policies, long sourceOffset, @Nullable String unreadable) {
        this(policies, sourceOffset, unreadable, List.of(), PolicySet.NO_VERSION);
    }
}
