package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;

/**
 * Key of a record of the trash. Each deletion has a serial number of its own, so that compaction never drops one of
 * several deletions of an event, and a tombstone erases one deletion and no other (T-16).
 *
 * @param kind the kind of record
 * @param stream the stream
 * @param number {@code storedAt} of the event, or the number of the execution
 * @param id the id of the event; empty for an execution
 * @param serial the number of the record among all of its partition, which grows with the records; 0 in the name of an
 *     event or execution, whichever of its deletions is meant
 */
public record TrashKey(Kind kind, StreamName stream, long number, String id, long serial) {

    /** Kind of record. */
    public enum Kind {
        /** A deleted event. */
        EVENT,
        /** A deleted execution. */
        EXECUTION
    }

    public static TrashKey ofEvent(StreamName stream, long storedAt, String id) {
        return new TrashKey(Kind.EVENT, stream, storedAt, id, 0);
    }

    public static TrashKey ofExecution(StreamName stream, long execution) {
        return new TrashKey(Kind.EXECUTION, stream, execution, "", 0);
    }

    /** Returns the key of a deletion of this event or execution. */
    public TrashKey withSerial(long other) {
        return new TrashKey(kind, stream, number, id, other);
    }

    /** Returns the name of the event or execution, whichever of its deletions this is. */
    public TrashKey name() {
        return withSerial(0);
    }

    public byte[] encode() {
        return new ByteWriter(64)
                .writeByte(kind.ordinal())
                .writeText(stream.value())
                .writeLong(number)
                .writeText(id)
                .writeLong(serial)
                .toBytes();
    }

    /** @throws RuntimeException if the bytes are not those of a key */
    public static TrashKey decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Kind kind = Kind.values()[in.readByte()];
        return new TrashKey(kind, new StreamName(in.readText()), in.readLong(), in.readText(), in.readLong());
    }
}
