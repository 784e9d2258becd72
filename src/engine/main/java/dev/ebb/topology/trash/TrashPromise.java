package dev.ebb.topology.trash;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records that the trash of a partition promised at one moment to those who would bring them back (T-16). Immutable.
 *
 * @param waiting numbers of the records that wait, by the slots in which they are counted
 * @param sinceMs no delete that may be meant was earlier, epoch milliseconds; {@link #UNKNOWN} if nothing is promised
 * @param firstSerial no record that is promised has a lower number
 * @param nextSerial the number of the first record that came later
 */
record TrashPromise(Map<TrashSlot, Numbers> waiting, long sinceMs, long firstSerial, long nextSerial) {

    static final long UNKNOWN = -1;

    static final TrashPromise NOTHING = new TrashPromise(Map.of(), UNKNOWN, Long.MAX_VALUE, Long.MAX_VALUE);

    /** Numbers of events and executions. */
    record Numbers(long events, long executions) {}

    TrashPromise {
        waiting = Snapshot.of(waiting);
    }

    /** Returns the slot in which a record of that deletion is promised; null if it is not. */
    @Nullable
    TrashSlot slot(StreamName stream, Deletion deletion) {
        if (waiting.isEmpty()) {
            return null;
        }
        TrashSlot own = TrashSlot.of(stream, deletion);
        if (waiting.containsKey(own)) {
            return own;
        }
        TrashSlot others = own.others();
        return waiting.containsKey(others) ? others : null;
    }
}
