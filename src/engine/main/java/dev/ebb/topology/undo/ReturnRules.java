package dev.ebb.topology.undo;

import dev.ebb.domain.undo.NotReturned;
import dev.ebb.store.EventStore;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.trash.Trashed;
import org.jspecify.annotations.Nullable;

/** Rules by which an event stays away, whatever the policies say (T-2). Stateless. */
final class ReturnRules {

    private ReturnRules() {}

    /**
     * Returns the reason why the event cannot come back; null if there is none.
     *
     * @param stream its stream as it is now; null if there is none
     * @param pointMs the time at which the undo was requested, epoch milliseconds; the undo may take long
     */
    static @Nullable NotReturned reason(EventStore store, @Nullable StreamState stream, Trashed trashed, long pointMs) {
        if (trashed.isSuperseded()) {
            return NotReturned.SUPERSEDED;
        }
        if (!trashed.deletion().isOpen(pointMs)) {
            return NotReturned.EXPIRED;
        }
        if (stream == null) {
            return null;
        }
        if (stream.quarantine() != null) {
            return NotReturned.NOT_READY;
        }
        return store.holds(stream, trashed.key().id()) ? NotReturned.REUSED : null;
    }

    /**
     * Returns true if the execution is declared again: unless it was meanwhile, or has new events, which an end from
     * before would make deletable. Its own record brings it back in any case: events at a completed execution are
     * completed.
     *
     * @param stream its stream as it is now; null if there is none
     */
    static boolean isDeclaredAgain(@Nullable StreamState stream, Trashed execution) {
        Segment live = stream == null ? null : stream.segment(execution.key().number());
        return live == null || (!live.execution().isDeclared() && (!execution.isCarried() || live.totalEvents() == 0));
    }
}
