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
 * Terms under which deletes can be undone (T-1): those of commands always, those of a policy as long as it is new, one that
 * cuts own TTLs short included. A policy that was in force for {@code undo} has proved itself, and an own TTL that has passed
 * is the word of the producer; their deletes are final, and so are those of an erasure.
 *
 * @param policies the newest policies in force
 * @param mostMs the longest time for which anything is kept, in milliseconds, whatever the policies say; 0: nothing is
 */
public record UndoTerms(Supplier<PolicySet> policies, long mostMs) {

    /** The most changes that are named with a deletion: each record of the trash has their names. */
    private static final int MOST_CHANGES = 8;

    /**
     * Time after its deletion for which an event of some stream under that policy can be brought back, in milliseconds;
     * 0 if all these deletes are final, for good. An own TTL that has passed makes a delete final all the same.
     */
    public long undoMs(RemovalCause cause, EffectivePolicy policy, long nowMs) {
        Limit undo = policy.get(PolicyField.UNDO).value();
        if (undo.isNone() || !cause.allowsCopies()) {
            return 0;
        }
        long undoMs = Math.min(undo.value(), mostMs);
        return cause.isCommand() || nowMs - policies.get().changedMs() < undoMs ? undoMs : 0;
    }

    /** Returns true if retention may take an event from the stream now that can be brought back. */
    public boolean areForSweepsOf(StreamName stream, EffectivePolicy policy, long nowMs) {
        long undoMs = undoMs(RemovalCause.MAX_AGE, policy, nowMs);
        return undoMs > 0 && !newChanges(stream, undoMs, nowMs).isEmpty();
    }

    /**
     * The new changes by which something of the stream may be due, the newest first; none if its policies have proved
     * themselves.
     */
    public List<Change> newChanges(StreamName stream, long undoMs, long nowMs) {
        return policies.get().changesOn(stream).stream()
                .filter(change -> nowMs - change.atMs() < undoMs)
                .limit(MOST_CHANGES)
                .toList();
    }
}
