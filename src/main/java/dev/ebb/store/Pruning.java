package dev.ebb.store;

import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.PruneCondition;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a prune of one stream has come. What it takes is fixed when it begins: nothing that arrives later goes. Not
 * thread-safe.
 */
public final class Pruning {

    final int sid;
    final PruneCondition condition;
    final boolean isDryRun;

    /** Only events of a lower arrival number are taken. */
    final long seqLimit;

    /** Only executions up to this one are taken; -1 in a stream without executions. */
    final long lastExecution;

    /** How many of the oldest events have yet to be looked at, in a stream without executions. */
    long left;

    /** The next execution to look at. */
    long execution;

    /** The next event to look at; null before the first. */
    @Nullable
    Position cursor;

    /** Whether an event was left standing behind the cursor. */
    boolean hasLeft;

    private long executions;
    private long events;
    private long bytes;

    Pruning(int sid, PruneCondition condition, boolean isDryRun, long seqLimit, long lastExecution, long left) {
        this.sid = sid;
        this.condition = condition;
        this.isDryRun = isDryRun;
        this.seqLimit = seqLimit;
        this.lastExecution = lastExecution;
        this.left = left;
    }

    void countEvent(EventHeader event) {
        events++;
        bytes += event.sizeBytes();
    }

    void countExecution(long itsEvents, long itsBytes) {
        executions++;
        events += itsEvents;
        bytes += itsBytes;
    }

    /** Whether nothing is deleted by it. */
    public boolean isDryRun() {
        return isDryRun;
    }

    /** What has gone so far, of one stream. */
    public CommandCounts counts() {
        return new CommandCounts(1, 0, executions, events, 0, bytes, Map.of());
    }

    /** Whether the event is old enough for the condition; that it is not among the last has been seen to. */
    boolean takes(EventHeader event) {
        Long completedBefore = condition.completedBeforeMs();
        Long completedAt = event.completedAt();
        return event.seq() < seqLimit
                && (completedBefore == null || (completedAt != null && completedAt < completedBefore));
    }

    /** The progress as bytes, for {@link #decode}. */
    public byte[] encode() {
        ByteWriter out = new ByteWriter(128);
        out.writeInt(sid).writeByte(isDryRun ? 1 : 0);
        writeOptional(out, condition.keepLast());
        writeOptional(out, condition.completedBeforeMs());
        out.writeLong(seqLimit).writeLong(lastExecution).writeLong(left).writeLong(execution);
        out.writeByte(cursor == null ? 0 : 1);
        if (cursor != null) {
            out.writeLong(cursor.execution()).writeLong(cursor.anchorMs()).writeLong(cursor.seq());
        }
        out.writeByte(hasLeft ? 1 : 0);
        return out.writeLong(executions).writeLong(events).writeLong(bytes).toBytes();
    }

    /** What {@link #encode} wrote. */
    public static Pruning decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        int sid = in.readInt();
        boolean isDryRun = in.readByte() != 0;
        PruneCondition condition = new PruneCondition(readOptional(in), readOptional(in));
        Pruning pruning = new Pruning(sid, condition, isDryRun, in.readLong(), in.readLong(), in.readLong());
        pruning.execution = in.readLong();
        pruning.cursor = in.readByte() == 0 ? null : new Position(in.readLong(), in.readLong(), in.readLong());
        pruning.hasLeft = in.readByte() != 0;
        pruning.executions = in.readLong();
        pruning.events = in.readLong();
        pruning.bytes = in.readLong();
        return pruning;
    }

    private static void writeOptional(ByteWriter out, @Nullable Long value) {
        out.writeByte(value == null ? 0 : 1);
        if (value != null) {
            out.writeLong(value);
        }
    }

    private static @Nullable Long readOptional(ByteReader in) {
        return in.readByte() == 0 ? null : (Long) in.readLong();
    }
}
