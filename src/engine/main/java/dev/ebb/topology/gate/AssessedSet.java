package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.PolicyComparison;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Policies and holds as they will be if the changes that are being assessed pass. A change that comes into force meanwhile
 * may delete nothing by itself, and have these delete more than the partitions count (O-8): a hold ends whose streams
 * another one covers, and the end of that other one is being assessed. Not thread-safe.
 */
final class AssessedSet {

    private final AcceptedSet accepted;
    private final Supplier<List<PolicyEdit>> assessed;
    private @Nullable PolicySet policies;

    /** @param assessed what is being assessed; asked for when it is needed, since most assessments meet no other change */
    AssessedSet(AcceptedSet accepted, Supplier<List<PolicyEdit>> assessed) {
        this.accepted = accepted;
        this.assessed = assessed;
    }

    /** Other changes are being assessed from now on. */
    void begin() {
        policies = null;
    }

    /**
     * Takes a change that is about to come into force; the accepted set does not have it yet.
     *
     * @return true if more may be deleted with it than was asked about, also if that cannot be compared yet
     */
    boolean canDeleteMoreWith(List<PolicyEdit> edits) {
        PolicySet before = policies;
        if (before == null) {
            PolicySet inForce = accepted.current();
            if (inForce == null) {
                return true;
            }
            before = inForce.with(assessed.get());
        }
        PolicySet after = before.with(edits);
        policies = after;
        return new PolicyComparison(before, after).canDeleteMore();
    }
}
