package dev.ebb.store.pass;

import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a prune of one stream. The most that the prune may take is fixed at its beginning: nothing that arrives
 * later goes. Each event is decided on its own, see {@link StreamPrune}. Not thread-safe.
 */
public final class Pruning {

    static final long NO_EXECUTIONS = -1;

    /** Stands for no limit besides the condition. */
    static final long ALL = Long.MAX_VALUE;

    private final int sid;
    private final PruneCondition condition;
    private final boolean isDryRun;

    /** The arrival number below which events may be taken. */
    private final long firstNewcomer;

    /** The last execution that may be taken; {@link #NO_EXECUTIONS} in a stream without executions. */
    private final long lastExecution;

    /** The most events that may yet go. */
    private long left;

    /** The most events that could go before the first one was counted. */
    private final long most;

    /** The next execution to look at. */
    private long execution;

    private @Nullable PrunePass pass;

    private long executions;
    private long events;
    private long bytes;

    Pruning(int sid, PruneCondition condition, boolean isDryRun, long firstNewcomer, long lastExecution, long left) {
        this.sid = sid;
        this.condition = condition;
        this.isDryRun = isDryRun;
        this.firstNewcomer = firstNewcomer;
        this.lastExecution = lastExecution;
        this.left = left;
        this.most = left;
    }

    /** Returns true if events of a stream without executions are taken. */
    boolean isOfEvents() {
        return lastExecution == NO_EXECUTIONS;
    }

    /** Returns the pass through the stream, which receives all changes from the first call on. */
    PrunePass passThrough(StreamState stream) {
        PrunePass known = pass;
        if (known == null || known.stream() != stream) {
            leave();
            known = new PrunePass(stream, firstNewcomer);
            stream.attach(known);
            pass = known;
        }
        return known;
    }

    /** Ends the pass through the stream; does nothing if there is none. */
    public void leave() {
        if (pass != null) {
            pass.stream().detach(pass);
            pass = null;
        }
    }

    /**
     * Begins a pass through the events, perhaps for a second time: a dry run has deleted nothing, so its counts start
     * at 0.
     */
    void beginEvents() {
        if (isDryRun) {
            left = most;
            events = 0;
            bytes = 0;
        }
    }

    void countEvent(EventHeader event) {
        events++;
        bytes += event.sizeBytes();
    }

    /**
     * Counts the rest of an execution, all of which goes. Execution 0 counts as an execution only if it was declared.
     */
    void countExecution(Segment segment, long itsEvents, long itsBytes) {
        executions += segment.number() > 0 || segment.execution().isDeclared() ? 1 : 0;
        events += itsEvents;
        bytes += itsBytes;
    }

    /** Returns the prune that carries out a dry run: later events stay, and no more go than were counted. */
    public Pruning confirmed() {
        return new Pruning(sid, condition, false, firstNewcomer, lastExecution, events);
    }

    /** Returns true if the prune deletes nothing. */
    public boolean isDryRun() {
        return isDryRun;
    }

    /** Returns true if nothing has gone so far. */
    public boolean hasFoundNothing() {
        return events == 0 && executions == 0;
    }

    /** Returns the counts of everything that has gone so far, for one stream. */
    public Deleted counts() {
        return Deleted.of(1, executions, events, bytes);
    }

    /** Returns true if the event is old enough for the condition; the caller leaves out the last ones. */
    boolean takes(EventHeader event) {
        Long completedBefore = condition.completedBeforeMs();
        Long completedAt = event.completedAt();
        return event.seq() < firstNewcomer
                && (completedBefore == null || (completedAt != null && completedAt < completedBefore));
    }

    /** Returns the progress as bytes, for {@link #decode}. */
    public byte[] encode() {
        boolean beginsAnew = isDryRun && isOfEvents() && left > 0;
        ByteWriter out = new ByteWriter(128);
        out.writeInt(sid).writeByte(isDryRun ? 1 : 0);
        writeOptional(out, condition.keepLast());
        writeOptional(out, condition.completedBeforeMs());
        out.writeLong(firstNewcomer).writeLong(lastExecution);
        out.writeLong(beginsAnew ? most : left).writeLong(execution);
        return out.writeLong(executions)
                .writeLong(beginsAnew ? 0 : events)
                .writeLong(beginsAnew ? 0 : bytes)
                .toBytes();
    }

    /** Reads the output of {@link #encode}. */
    public static Pruning decode(byte[] value) {
        ByteReader in = new ByteReader(value);
        int sid = in.readInt();
        boolean isDryRun = in.readByte() != 0;
        PruneCondition condition = new PruneCondition(readOptional(in), readOptional(in));
        long firstNewcomer = in.readLong();
        long lastExecution = in.readLong();
        long left = in.readLong();
        Pruning pruning = new Pruning(sid, condition, isDryRun, firstNewcomer, lastExecution, left);
        pruning.execution = in.readLong();
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

    public int sid() {
        return sid;
    }

    long execution() {
        return execution;
    }

    long lastExecution() {
        return lastExecution;
    }

    PruneCondition condition() {
        return condition;
    }

    public long left() {
        return left;
    }

    long firstNewcomer() {
        return firstNewcomer;
    }

    /** Notes that the execution is finished. */
    void pass(long number) {
        execution = number + 1;
    }

    /** Notes that one more event is taken. */
    void spend() {
        left--;
    }
}
