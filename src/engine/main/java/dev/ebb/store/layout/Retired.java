package dev.ebb.store.layout;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
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
 * @param commandId the id of the command
 * @param actor the author of the command; empty if unknown
 * @param reason the reason given; empty if unknown
 * @param events the number of events that the stream had
 * @param root the stream's execution 0, which has no record of its own
 * @param rootOpenSinceMs the time since which that execution has been at work, epoch milliseconds; 0 if it is terminal
 * @param parent the parent of the stream; null if it had none
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
        Execution root,
        long rootOpenSinceMs,
        @Nullable StreamName parent) {

    public byte[] encode() {
        ByteWriter out = new ByteWriter(128)
                .writeText(stream.value())
                .writeInt(sid)
                .writeLong(lastStoredAt)
                .writeText(cause.name())
                .writeText(commandId)
                .writeText(actor)
                .writeText(reason)
                .writeVarLong(events);
        ExecutionCodec.write(root, out);
        return out.writeVarLong(rootOpenSinceMs)
                .writeOptional(parent == null ? null : parent.value())
                .toBytes();
    }

    public static Retired decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        StreamName stream = new StreamName(in.readText());
        int sid = in.readInt();
        long lastStoredAt = in.readLong();
        RemovalCause cause = RemovalCause.valueOf(in.readText());
        String commandId = in.readText();
        String actor = in.readText();
        String reason = in.readText();
        long events = in.readVarLong();
        Execution root = ExecutionCodec.read(0, in);
        long rootOpenSinceMs = in.readVarLong();
        String parent = in.readOptional();
        return new Retired(
                stream,
                sid,
                lastStoredAt,
                cause,
                commandId,
                actor,
                reason,
                events,
                root,
                rootOpenSinceMs,
                parent == null ? null : new StreamName(parent));
    }
}
