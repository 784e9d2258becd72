package dev.ebb.store.layout;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import org.jspecify.annotations.Nullable;

/**
 * A stream that is gone from all views while its events and executions are still being removed (O-10). Its number is
 * never used again, so a new stream of the same name is independent of it. Immutable.
 *
 * @param stream the name that the stream had
 * @param sid the number in its keys
 * @param lastStoredAt the time at which its last event was stored, epoch milliseconds: a new stream of the name stores
 *     later
 * @param cause the cause of the delete
 * @param origin the command
 * @param events the number of events that the stream had
 * @param root the stream's execution 0, which has no record of its own
 * @param rootOpenSinceMs the time since which that execution has been at work, epoch milliseconds; 0 if it is terminal
 * @param parent the parent of the stream; null if it had none
 * @param hadRows true if SQL had rows of the stream (F-13)
 */
public record Retired(
        StreamName stream,
        int sid,
        long lastStoredAt,
        RemovalCause cause,
        Origin origin,
        long events,
        Execution root,
        long rootOpenSinceMs,
        @Nullable StreamName parent,
        boolean hadRows) {

    public byte[] encode() {
        ByteWriter out = new ByteWriter(128)
                .writeText(stream.value())
                .writeInt(sid)
                .writeLong(lastStoredAt)
                .writeText(cause.name())
                .writeText(origin.commandId())
                .writeText(origin.actor())
                .writeText(origin.reason())
                .writeText(origin.commandRecord())
                .writeVarLong(events);
        ExecutionCodec.write(root, out);
        return out.writeVarLong(rootOpenSinceMs)
                .writeOptional(parent == null ? null : parent.value())
                .writeByte(hadRows ? 1 : 0)
                .toBytes();
    }

    public static Retired decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        StreamName stream = new StreamName(in.readText());
        int sid = in.readInt();
        long lastStoredAt = in.readLong();
        RemovalCause cause = RemovalCause.valueOf(in.readText());
        Origin origin = Origin.ofCommand(in.readText(), in.readText(), in.readText(), in.readText());
        long events = in.readVarLong();
        Execution root = ExecutionCodec.read(0, in);
        long rootOpenSinceMs = in.readVarLong();
        String parent = in.readOptional();
        return new Retired(
                stream,
                sid,
                lastStoredAt,
                cause,
                origin,
                events,
                root,
                rootOpenSinceMs,
                parent == null ? null : new StreamName(parent),
                in.readByte() != 0);
    }
}
