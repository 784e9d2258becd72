package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.UndoTerms;
import dev.ebb.store.events.Removed;
import dev.ebb.store.events.RemovedExecution;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Trash of one partition: sends each of its records in the transaction of its cause. An event is in the trash as it was
 * stored, byte for byte. Not thread-safe.
 */
public final class Trash {

    private final UndoTerms terms;
    private final TrashBook book;
    private final Target target;
    private final List<Watch> watches = new ArrayList<>();

    /**
     * @param terms the terms under which deletes can be undone
     * @param book counts the deletes that can be undone
     */
    public Trash(UndoTerms terms, TrashBook book, Target target) {
        this.terms = terms;
        this.book = book;
        this.target = target;
    }

    /** Watch over the changes of the trash. */
    interface Watch {

        /** A record is taken out. */
        void takenOut(long offset);

        /** An execution goes, and has a record of its own. */
        void went(Trashed execution);
    }

    /** Target to which records are sent. */
    public interface Target {
        void send(byte[] key, byte @Nullable [] value, long timestampMs, Headers headers);
    }

    UndoTerms terms() {
        return terms;
    }

    /** Returns the book, which counts the deletes that can be undone. */
    public TrashBook book() {
        return book;
    }

    void keep(Removed removed, TrashMarks.Common deletion, long nowMs) {
        TrashKey name = TrashKey.ofEvent(
                removed.stream(), removed.event().storedAt(), removed.event().id());
        send(name, removed.value(), deletion, nowMs);
    }

    void keep(StreamName stream, RemovedExecution kept, TrashMarks.Common deletion, long nowMs) {
        TrashKey name = TrashKey.ofExecution(stream, kept.execution().number());
        byte[] value = kept.encode();
        TrashKey key = send(name, value, deletion, nowMs);
        if (!watches.isEmpty()) {
            Headers headers = deletion.headers();
            Trashed form = Trashed.form(key, DeletionHeaders.read(headers), DeletionHeaders.sid(headers), value);
            watches.forEach(watch -> watch.went(form));
        }
    }

    private TrashKey send(TrashKey name, byte[] value, TrashMarks.Common deletion, long nowMs) {
        TrashKey key = name.withSerial(book.marks().next(nowMs));
        byte[] bytes = key.encode();
        target.send(bytes, value, nowMs, book.marks().sealed(bytes, value, deletion));
        return key;
    }

    /** Takes out a record that the undo has brought back. */
    public void takeOut(Trashed trashed, String undoId, long nowMs) {
        terms.proofs().undone(trashed.stream().namespace(), trashed.deletion());
        takeOut(trashed.key().encode(), trashed.offset(), trashed.deletion(), undoId, nowMs);
    }

    /**
     * Takes a record out of the trash: its bytes go with the next compaction, and no undo brings it back.
     *
     * @param key its key
     * @param offset its offset
     * @param deletion the account of its deletion; null if the record is not one of this task
     * @param undoId the undo that has brought it back; empty if it did not come back
     */
    public void takeOut(byte[] key, long offset, @Nullable Deletion deletion, String undoId, long nowMs) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.TRASH_OFFSET, offset);
        if (!undoId.isEmpty()) {
            EbbHeaders.set(headers, EbbHeaders.COMMAND_ID, undoId);
        }
        if (deletion != null) {
            book.marks().takenOut(TrashKey.decode(key).serial(), deletion.untilMs());
        }
        watches.forEach(watch -> watch.takenOut(offset));
        target.send(key, null, nowMs, book.marks().sealed(key, null, TrashMarks.Common.of(headers)));
    }

    /** Tells the watch of each change from now on. */
    void watch(Watch watch) {
        watches.add(watch);
    }

    void unwatch(Watch watch) {
        watches.remove(watch);
    }
}
