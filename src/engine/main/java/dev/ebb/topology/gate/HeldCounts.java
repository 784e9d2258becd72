package dev.ebb.topology.gate;

import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.PolicyComparison;
import java.util.List;
import java.util.stream.Stream;

/**
 * Number of deletes of the changes that wait for a confirmation, as operators see it. When another change comes into
 * force, such a change may delete more: it may then let events go that only the former record of the other one keeps
 * (O-8). Not thread-safe.
 */
final class HeldCounts {

    private final HeldChanges held;
    private final AcceptedSet accepted;
    private final HeldEdits edits;

    HeldCounts(HeldChanges held, AcceptedSet accepted, HeldEdits edits) {
        this.held = held;
        this.accepted = accepted;
        this.edits = edits;
    }

    /** Has those changes recounted that may delete more with these edits, which are about to come into force. */
    void outdateWith(List<PolicyEdit> next) {
        List<HeldBack> outdated = held.counted().stream()
                .filter(HeldCounts::isExact)
                .filter(waiting -> canDeleteMoreWith(waiting, next))
                .toList();
        outdated.forEach(waiting -> held.found(waiting.outdated()));
    }

    /** Returns true if the count is exact. A change that would delete at least a known number still does. */
    private static boolean isExact(HeldBack change) {
        return change.finding() != null && !change.finding().isAtLeast();
    }

    /** Returns true if the change may delete more with these edits in force, or if this cannot be determined now. */
    private boolean canDeleteMoreWith(HeldBack waiting, List<PolicyEdit> next) {
        PolicySet inForce = accepted.current();
        if (inForce == null || !edits.areReadable(waiting)) {
            return true;
        }
        List<PolicyEdit> own = edits.of(waiting);
        PolicySet before = inForce.with(own);
        PolicyComparison comparison = new PolicyComparison(before, before.with(next));
        return own.stream()
                .flatMap(edit -> Stream.of(edit, inForce.inForce(edit.key())))
                .flatMap(edit -> Stream.ofNullable(edit.touched()))
                .anyMatch(comparison::canDeleteMoreIn);
    }
}
