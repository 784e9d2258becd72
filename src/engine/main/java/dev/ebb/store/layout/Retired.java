package dev.ebb.store.layout;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;

/**
 * A stream that is gone from all views, while its events and executions are still being taken away (O-10). Its number
 * is never used again, so a new stream of the name has nothing to do with it. Immutable.
 *
 * @param stream the name that the stream had
 * @param sid the number of its keys
 * @param lastStoredAt the time at which its last event was stored: a new stream of the name stores later
 * @param cause the cause that the delete was given
 * @param commandId the command
 * @param actor the author of the command; empty if unknown
 * @param reason the reason given; empty if unknown
 * @param events number of events that the stream had
 * @param hasDeclaredRoot true if the stream's execution 0, which has no record of its own, was declared
 */
public record Retired(
        StreamName stream,
        int sid,
        long lastStoredAt,
        RemovalCause cause,
        String commandId,
        String actor,
        String reason,
        long events,
        boolean hasDeclaredRoot) {

    public byte[] encode() {
        return new ByteWriter(128)
                .writeText(stream.value())
                .writeInt(sid)
                .writeLong(lastStoredAt)
                .writeText(cause.name())
                .writeText(commandId)
                .writeText(actor)
                .writeText(reason)
                .writeVarLong(events)
                .writeByte(hasDeclaredRoot ? 1 : 0)
                .toBytes();
    }

    public static Retired decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        return new Retired(
                new StreamName(in.readText()),
                in.readInt(),
                in.readLong(),
                RemovalCause.valueOf(in.readText()),
                in.readText(),
                in.readText(),
                in.readText(),
                in.readVarLong(),
                in.readByte() != 0);
    }
}
