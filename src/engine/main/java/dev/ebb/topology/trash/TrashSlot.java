package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.domain.undo.TrashSum.Reason;

/**
 * Deletes that are counted together: those of one reason and namespace, for a twenty-fourth of their time.
 *
 * @param undoMs time for which each can be undone, in milliseconds
 * @param part number of the stretch of time in which they were made
 */
record TrashSlot(Reason reason, String namespace, long undoMs, long part) {

    private static final int PARTS = 24;

    private static TrashSlot of(Reason reason, String namespace, long undoMs, long deletedAtMs) {
        return new TrashSlot(reason, namespace, undoMs, deletedAtMs / Math.max(1, undoMs / PARTS));
    }

    static TrashSlot of(TrashSum sum) {
        return of(sum.reason(), sum.namespace(), sum.firstUntilMs() - sum.firstMs(), sum.firstMs());
    }

    static TrashSlot of(StreamName stream, Deletion deletion) {
        return of(TrashSum.of(stream, deletion, 0, 0));
    }

    /** Returns the slot of all deletes beyond those that are counted one by one. */
    TrashSlot others() {
        return new TrashSlot(reason.others(), TrashSum.OTHERS, undoMs, part);
    }
}
