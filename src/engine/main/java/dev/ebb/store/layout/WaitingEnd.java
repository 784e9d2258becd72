package dev.ebb.store.layout;

import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import org.jspecify.annotations.Nullable;

/**
 * The end of an execution that waits beside the grave of its stream (O-10). Immutable.
 *
 * @param update the update, with the completion that it names or its timestamp
 * @param timestampMs the Kafka timestamp of the update
 * @param parentOrder the number of the update that named its parent, see {@code Grave}; of no meaning without a parent
 */
public record WaitingEnd(ExecutionUpdate update, long timestampMs, long parentOrder) {

    private static final int HAS_STARTED = 1;
    private static final int HAS_PARENT = 1 << 1;

    /** @param order the number of the update in the order of arrival, see {@code Grave} */
    public static WaitingEnd of(ExecutionUpdate update, long timestampMs, long order) {
        Long completedAt = update.completedAt() != null ? update.completedAt() : Long.valueOf(timestampMs);
        return new WaitingEnd(with(update, update.parent(), update.startedAt(), completedAt), timestampMs, order);
    }

    /** Returns this end after a later one of the same execution; what that does not name stays as it is. */
    public WaitingEnd followedBy(ExecutionUpdate later, long laterMs, long order) {
        boolean hasParent = later.parent() != null;
        return new WaitingEnd(
                with(
                        later,
                        hasParent ? later.parent() : update.parent(),
                        later.startedAt() != null ? later.startedAt() : update.startedAt(),
                        later.completedAt() != null ? later.completedAt() : update.completedAt()),
                laterMs,
                hasParent ? order : parentOrder);
    }

    /** Returns the update without its parent, which a later update has replaced. */
    public ExecutionUpdate withoutParent() {
        return with(update, null, update.startedAt(), update.completedAt());
    }

    private static ExecutionUpdate with(
            ExecutionUpdate update, @Nullable StreamName parent, @Nullable Long startedAt, @Nullable Long completedAt) {
        return new ExecutionUpdate(
                update.stream(), update.execution(), update.status(), parent, startedAt, completedAt);
    }

    public byte[] encode() {
        StreamName parent = update.parent();
        Long startedAt = update.startedAt();
        Long completedAt = update.completedAt();
        ByteWriter out = new ByteWriter(64)
                .writeByte((startedAt == null ? 0 : HAS_STARTED) | (parent == null ? 0 : HAS_PARENT))
                .writeLong(timestampMs)
                .writeVarLong(parentOrder)
                .writeText(String.valueOf(update.status()))
                .writeLong(completedAt == null ? timestampMs : completedAt);
        if (startedAt != null) {
            out.writeLong(startedAt);
        }
        if (parent != null) {
            out.writeText(parent.value());
        }
        return out.toBytes();
    }

    public static WaitingEnd decode(StreamName stream, long execution, byte[] value) {
        ByteReader in = new ByteReader(value);
        int flags = in.readByte();
        long timestampMs = in.readLong();
        long parentOrder = in.readVarLong();
        String status = in.readText();
        long completedAt = in.readLong();
        Long startedAt = (flags & HAS_STARTED) == 0 ? null : Long.valueOf(in.readLong());
        StreamName parent = (flags & HAS_PARENT) == 0 ? null : new StreamName(in.readText());
        ExecutionUpdate update = new ExecutionUpdate(stream, execution, status, parent, startedAt, completedAt);
        return new WaitingEnd(update, timestampMs, parentOrder);
    }
}
