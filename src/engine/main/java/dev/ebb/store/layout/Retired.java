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
        @Nullable StreamName parent) {

    /** Stands for an execution 0 of which an older version remembered only that it was declared. */
    private static final Execution FORMER_ROOT = new Execution(0, "", true, null, null);

    public byte[] encode() {
        ByteWriter out = new ByteWriter(128)
                .writeText(stream.value())
                .writeInt(sid)
                .writeLong(lastStoredAt)
                .writeText(cause.name())
                .writeText(commandId)
                .writeText(actor)
                .writeText(reason)
                .writeVarLong(events)
                .writeByte(root.isDeclared() ? 1 : 0);
        // These two come last: a version that does not know them stops reading before them.
        ExecutionCodec.write(root, out);
        return out.writeOptional(parent == null ? null : parent.value()).toBytes();
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
        Execution former = in.readByte() == 0 ? Execution.undeclared(0) : FORMER_ROOT;
        Execution root = in.hasMore() ? ExecutionCodec.read(0, in) : former;
        String parent = in.hasMore() ? in.readOptional() : null;
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
                parent == null ? null : new StreamName(parent));
    }
}
