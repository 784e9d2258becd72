package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.PolicyComparison;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The edits of changes that the brake may hold back, compared with the policies in force. Not thread-safe. */
final class HeldEdits {

    private final AcceptedSet accepted;
    private final Function<GateRecord, PolicyVerdict> judge;

    /** @param judge reads the declaration in a record */
    HeldEdits(AcceptedSet accepted, Function<GateRecord, PolicyVerdict> judge) {
        this.accepted = accepted;
        this.judge = judge;
    }

    /** Returns true if all records can be read: after a start the registry may be away. */
    boolean areReadable(HeldBack change) {
        return change.records().stream().map(judge).allMatch(verdict -> verdict.waitsFor() == null);
    }

    /** Returns the edits of a change that can be read. */
    List<PolicyEdit> of(HeldBack change) {
        return stream(change).toList();
    }

    /**
     * Returns true if the change can delete more, or may, than its edits that their author has confirmed. Beside these,
     * another edit of the same file may delete what it would not delete alone.
     */
    boolean canDeleteMore(HeldBack change) {
        return canDeleteMore(change, PolicyEdit::isConfirmed);
    }

    /** Returns true if the change can delete more, or may, confirmed or not. */
    boolean canDeleteMoreAtAll(HeldBack change) {
        return canDeleteMore(change, edit -> false);
    }

    /** Returns true as well if the accepted policies cannot be read yet: the partitions know what is in force. */
    private boolean canDeleteMore(HeldBack change, Predicate<PolicyEdit> isAllowed) {
        PolicySet inForce = accepted.current();
        if (inForce == null) {
            return true;
        }
        List<PolicyEdit> all = of(change);
        PolicySet before = inForce.with(all.stream().filter(isAllowed).toList());
        return new PolicyComparison(before, inForce.with(all)).canDeleteMore();
    }

    private Stream<PolicyEdit> stream(HeldBack change) {
        return change.records().stream().map(judge).map(PolicyVerdict::edit);
    }
}
