package dev.ebb.runtime.trash;

import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashIndex;

/**
 * Knowledge of an undo about one partition of the trash. Used by one read at a time.
 *
 * @param index the records that the undo concerns
 * @param begin offset of the first record that may be meant
 * @param end offset of the first record that the index has not seen
 */
record KnownTrash(UndoFilter filter, String undoId, TrashIndex index, long begin, long end) {

    static KnownTrash nothing(UndoFilter filter, String undoId, TrashGuard guard) {
        return new KnownTrash(filter, undoId, new TrashIndex(filter, undoId, guard), 0, 0);
    }

    /** Returns true if a reading may go on where this knowledge ends. */
    boolean isOf(UndoFilter otherFilter, String otherId, TrashGuard guard) {
        return filter.equals(otherFilter) && undoId.equals(otherId) && index.mayReopen(guard);
    }

    /** Returns an index that knows nothing yet. */
    TrashIndex startOver(TrashGuard guard) {
        return new TrashIndex(filter, undoId, guard);
    }

    KnownTrash with(TrashIndex newIndex, long newBegin, long newEnd) {
        return new KnownTrash(filter, undoId, newIndex, newBegin, newEnd);
    }
}
