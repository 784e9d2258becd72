package dev.ebb.topology.policy;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.WaitingPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The policies in force as one instance sees them at one moment. Immutable.
 *
 * @param policies the policies
 * @param sourceOffset the newest offset of the topic of policies that is reflected; -1 for none
 * @param unreadable reason why a policy cannot be read yet, which stops all sweeps; null if all can be read
 * @param waiting the changes that the brake holds back
 * @param holdVersion the version of the newest hold in force; {@link PolicySet#NO_VERSION} if none is
 * @param readOffset all records of the topic of accepted policies up to this offset are reflected, those included that
 *     compaction has removed; -1 for none. Never less than the version of the policies, unless a file is incomplete
 */
public record PolicyView(
        PolicySet policies,
        long sourceOffset,
        @Nullable String unreadable,
        List<WaitingPolicy> waiting,
        long holdVersion,
        long readOffset) {

    public PolicyView {
        waiting = List.copyOf(waiting);
    }

    /** View in which nothing is held back, no hold is in force, and nothing was read but the policies. */
    public PolicyView(PolicySet policies, long sourceOffset, @Nullable String unreadable) {
        this(policies, sourceOffset, unreadable, List.of(), PolicySet.NO_VERSION, policies.version());
    }
}
