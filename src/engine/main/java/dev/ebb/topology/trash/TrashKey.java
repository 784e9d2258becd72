package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;

/**
 * Key of a record of the trash. The stream, the id and {@code storedAt} identify one deletion of an event, so that a
 * tombstone erases this deletion and no other.
 *
 * @param kind the kind of record
 * @param stream the stream
 * @param number {@code storedAt} of the event, or the number of the execution
 * @param id the id of the event; empty for an execution
 */
public record TrashKey(Kind kind, StreamName stream, long number, String id) {

    /** Kind of record. */
    public enum Kind {
        /** A deleted event. */
        EVENT,
        /** A deleted execution. */
        EXECUTION
    }

    public static TrashKey ofEvent(StreamName stream, long storedAt, String id) {
        return new TrashKey(Kind.EVENT, stream, storedAt, id);
    }

    public static TrashKey ofExecution(StreamName stream, long execution) {
        return new TrashKey(Kind.EXECUTION, stream, execution, "");
    }

    public byte[] encode() {
        return new ByteWriter(64)
                .writeByte(kind.ordinal())
                .writeText(stream.value())
                .writeLong(number)
                .writeText(id)
                .toBytes();
    }

    /** @throws RuntimeException if the bytes are not those of a key */
    public static TrashKey decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Kind kind = Kind.values()[in.readByte()];
        return new TrashKey(kind, new StreamName(in.readText()), in.readLong(), in.readText());
    }
}
