package dev.ebb.domain.undo;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.retention.RemovalCause;
import java.util.List;
import java.util.function.Supplier;

/**
 * The terms under which deletes can be undone (T-1). Deletes by commands always can; deletes by a policy can while the
 * policy is new, also where it cuts own TTLs short. A policy that was in force for {@code undo} has proved itself, and
 * an own TTL that has passed is the decision of the producer: deletes by either are final, and so are those of an
 * erasure.
 *
 * @param policies the newest policies in force
 * @param mostMs the longest time for which the trash keeps anything, in milliseconds, whatever the policies say; 0 if
 *     it keeps nothing
 */
public record UndoTerms(Supplier<PolicySet> policies, long mostMs) {

    /** Maximum number of changes that a deletion names; each record of the trash carries their names. */
    private static final int MOST_CHANGES = 8;

    /**
     * Returns the time after its deletion within which an event of a stream under the policy can be brought back, in
     * milliseconds; 0 if all these deletes are final. A delete is final in any case if the own TTL of the event has
     * passed.
     */
    public long undoMs(RemovalCause cause, EffectivePolicy policy, long nowMs) {
        Limit undo = policy.get(PolicyField.UNDO).value();
        if (undo.isNone() || !cause.allowsCopies()) {
            return 0;
        }
        long undoMs = Math.min(undo.value(), mostMs);
        return cause.isCommand() || nowMs - policies.get().changedMs() < undoMs ? undoMs : 0;
    }

    /** Returns true if deletes of the stream by retention can be undone at this time. */
    public boolean areForSweepsOf(StreamName stream, EffectivePolicy policy, long nowMs) {
        long undoMs = undoMs(RemovalCause.MAX_AGE, policy, nowMs);
        return undoMs > 0 && !newChanges(stream, undoMs, nowMs).isEmpty();
    }

    /**
     * Returns the new changes that may make events of the stream due, the newest first; empty if its policies have
     * proved themselves.
     */
    public List<Change> newChanges(StreamName stream, long undoMs, long nowMs) {
        return policies.get().changesOn(stream).stream()
                .filter(change -> nowMs - change.atMs() < undoMs)
                .limit(MOST_CHANGES)
                .toList();
    }
}
