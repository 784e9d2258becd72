package dev.ebb.topology.policy;

import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.SpentHour;
import dev.ebb.domain.policy.change.WaitingPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Policies in force as one instance sees them at one moment. Immutable.
 *
 * @param policies the policies
 * @param reflectedOffset the newest offset of the topic of policies that is reflected; -1 for none
 * @param unreadable the reason why a policy cannot be read yet, which stops all sweeps; null if all can be read
 * @param waiting the changes that the brake holds back
 * @param spent the unconfirmed deletes of the last hour
 * @param holdOffset offset of the newest hold in force on the topic of accepted policies; -1 if there is none
 * @param readOffset all records of the topic of accepted policies up to this offset are reflected, including those that
 *     compaction has removed; -1 for none
 */
public record PolicyView(
        PolicySet policies,
        long reflectedOffset,
        @Nullable String unreadable,
        List<WaitingPolicy> waiting,
        SpentHour spent,
        long holdOffset,
        long readOffset) {

    public PolicyView {
        waiting = List.copyOf(waiting);
    }

    /**
     * Returns the name of these policies for readers that must not act by older ones: the offset that is reflected, in place
     * of the version, and the late changes.
     */
    public PolicyEdition reflected() {
        return new PolicyEdition(reflectedOffset, policies.edition().lateChanges());
    }

    /** Makes a view without held-back changes and holds, and with nothing read of the topic of accepted policies. */
    public PolicyView(PolicySet policies, long reflectedOffset, @Nullable String unreadable) {
        this(policies, reflectedOffset, unreadable, List.of(), SpentHour.NOTHING, -1, -1);
    }
}
