package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.store.events.RemovedExecution;

/**
 * Record of the trash that an undo means.
 *
 * @param key its key
 * @param deletion the account of its deletion
 * @param sid the number of the stream of its deletion; 0 if it is not known
 * @param offset its offset, by which it is taken out; {@link #CARRIED} for an execution whose own record is not meant
 * @param isSuperseded true if the undo also means a later deletion of the same id, which counts instead
 * @param value the bytes of the deleted event or execution
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Trashed(TrashKey key, Deletion deletion, int sid, long offset, boolean isSuperseded, byte[] value) {

    private static final long CARRIED = -1;

    /** Returns the execution that an event of this deletion carries with it, as it was when the event went. */
    static Trashed carried(TrashKey event, Deletion deletion, int sid, RemovedExecution execution) {
        TrashKey key = TrashKey.ofExecution(
                        event.stream(), execution.execution().number())
                .withSerial(event.serial());
        return form(key, deletion, sid, execution.encode());
    }

    /** Returns the execution of a record that is not meant itself. */
    static Trashed form(TrashKey key, Deletion deletion, int sid, byte[] value) {
        return new Trashed(key, deletion, sid, CARRIED, false, value);
    }

    /** Returns true for an execution whose own record is not meant: it comes back with its events, and not without. */
    public boolean isCarried() {
        return offset == CARRIED;
    }

    /** Returns true if this went after the other one, of the same name. */
    public boolean isLaterThan(Trashed other) {
        return sid == other.sid ? key.serial() > other.key.serial() : sid > other.sid;
    }

    public StreamName stream() {
        return key.stream();
    }
}
