package dev.ebb.store.layout;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;

/**
 * A stream that is gone for everybody, while what it held is still being taken away behind it (O-10). Its number is never
 * used again, so whoever uses the name meanwhile has nothing to do with it. Immutable.
 *
 * @param stream the name that it had
 * @param sid the number of its keys
 * @param lastStoredAt when its last event was stored: whoever uses the name again stores later
 * @param cause what the person who deleted it asked for
 * @param commandId the command
 * @param actor who asked; empty if unknown
 * @param reason why; empty if unknown
 * @param events how many events it had
 * @param hasDeclaredRoot whether somebody had declared its execution 0, which has no record of its own
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
