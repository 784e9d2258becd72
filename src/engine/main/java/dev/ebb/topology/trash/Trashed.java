package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;

/**
 * Record of the trash that an undo means.
 *
 * @param key its key
 * @param deletion the account of its deletion
 * @param sid the number of the stream of its deletion; 0 if it is not known
 * @param offset its offset, by which it is taken out; {@link #CARRIED} for an execution in its event, {@link
 *     #FORM} for one whose own record is not meant, or is out of the trash
 * @param isSuperseded true if the undo also means a later deletion of the same id, which counts instead
 * @param value the bytes of the deleted event or execution; of an execution in its event, its number first
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Trashed(TrashKey key, Deletion deletion, int sid, long offset, boolean isSuperseded, byte[] value) {

    private static final long CARRIED = -1;
    private static final long FORM = -2;

    /**
     * Returns the execution that an event of this deletion carries with it, as it was when the event went.
     *
     * @param number its number
     * @param value its bytes, its number first
     */
    static Trashed carried(TrashKey event, Deletion deletion, int sid, long number, byte[] value) {
        TrashKey key = TrashKey.ofExecution(event.stream(), number).withSerial(event.serial());
        return new Trashed(key, deletion, sid, CARRIED, false, value);
    }

    /** Returns the execution of a record that is not meant itself. */
    static Trashed form(TrashKey key, Deletion deletion, int sid, byte[] value) {
        return new Trashed(key, deletion, sid, FORM, false, value);
    }

    /** Returns the execution as it was, without its record, which is out of the trash. */
    public Trashed withoutRecord() {
        return form(key, deletion, sid, value);
    }

    /** Returns true for an execution that comes back with its events, and not without. */
    public boolean isCarried() {
        return offset < 0;
    }

    /** Returns true for an execution that was read from its event. */
    public boolean isOfEvent() {
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
