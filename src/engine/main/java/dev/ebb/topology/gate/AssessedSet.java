package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.PolicyComparison;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Policies and holds as they will be if the changes under assessment pass. A change that comes into force in the
 * meantime may delete nothing by itself, but make these changes delete more than the partitions count (O-8): for
 * example, a hold ends whose streams are covered by another hold, and the end of that other hold is under assessment.
 * Not thread-safe.
 */
final class AssessedSet {

    private final AcceptedSet accepted;
    private final Supplier<List<PolicyEdit>> assessed;
    private @Nullable PolicySet policies;

    /**
     * @param assessed supplies the changes under assessment when they are needed, since most assessments meet no other
     *     change
     */
    AssessedSet(AcceptedSet accepted, Supplier<List<PolicyEdit>> assessed) {
        this.accepted = accepted;
        this.assessed = assessed;
    }

    /** Notes that other changes are under assessment from now on. */
    void begin() {
        policies = null;
    }

    /**
     * Takes a change that is about to come into force; the accepted set does not have it yet.
     *
     * @return true if more may be deleted with this change than the question was about, or if this cannot be determined
     *     yet
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
