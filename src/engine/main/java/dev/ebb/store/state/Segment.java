package dev.ebb.store.state;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The events of one execution of a stream: how many there are, where they begin, and whether the work of the execution
 * is done. Its keys lie side by side, so an execution is protected or freed by its summary alone, and no event is moved
 * (M-5). Written only by the {@code EventStore} that owns it, on the thread of its task.
 */
public final class Segment {

    private final StreamState stream;
    private final long number;
    private final long[] events = new long[Range.OF_EVENTS.size()];
    private final long[] bytes = new long[Range.OF_EVENTS.size()];
    private Execution execution;
    private Heads heads = new Heads();

    /** Heads of the events that a move has put into the new arrangement; null while nothing moves. */
    @Nullable
    private Heads movedHeads;

    /** Ordered events whose producer asked for no expiration where the policy does not allow it. */
    private long wishes;

    /** Time at which the execution was last seen to begin work, epoch milliseconds; 0 while it is terminal. */
    private long openSinceMs;

    /** The latest completion that the execution ever had, epoch milliseconds; 0 if it had none. */
    private long latestCompletedMs;

    /** True if the index of executions has yet to be told of a change. */
    private boolean isChanged;

    /** True if the usage store has not been told of the last change, see {@link StreamTable#saveSoon}. */
    private boolean isUnsaved;

    /** True if {@code keepLast} keeps all due events, until the segment changes or {@link #guardedUntilMs} comes. */
    private boolean isGuarded;

    /** While the segment is guarded: no other deadline lies before this time, epoch milliseconds. */
    private long guardedUntilMs;

    /** Number of events, in a shadow only, that no walk has passed, and start of the deadlines that none has seen. */
    private long @Nullable [] unwalked;

    @Nullable
    private Bytes dueCursor;

    /** Passed deadlines, in a shadow only, that were read and have not been looked at; null if there are none. */
    @Nullable
    private SliceMemory deadlines;

    public Segment(StreamState stream, long number) {
        this.stream = stream;
        this.number = number;
        this.execution = Execution.undeclared(number);
    }

    public long count(Range range) {
        return events[range.ordinalOfEvents()];
    }

    /** Number of events that a walk from the range's head on meets: in a shadow also those that count as deleted. */
    public long unwalked(Range range) {
        return unwalked == null ? count(range) : unwalked[range.ordinalOfEvents()];
    }

    public void walked(Range range) {
        if (unwalked != null) {
            unwalked[range.ordinalOfEvents()]--;
        }
    }

    public long totalEvents() {
        return events[0] + events[1] + events[2] + events[3];
    }

    public long totalBytes() {
        return bytes[0] + bytes[1] + bytes[2] + bytes[3];
    }

    /** Events that retention may remove: ordered and timed ones, once the work is done. */
    public long eligibleEvents() {
        return execution.isTerminal() ? count(Range.ORDERED) + count(Range.TIMED) : 0;
    }

    public long eligibleBytes() {
        return execution.isTerminal()
                ? bytes[Range.ORDERED.ordinalOfEvents()] + bytes[Range.TIMED.ordinalOfEvents()]
                : 0;
    }

    /** Events that the execution alone protects. */
    public long lockedEvents() {
        return execution.isTerminal() ? 0 : totalEvents() - count(Range.PINNED);
    }

    /** Events of one range that the execution alone protects; events protected by themselves are not counted. */
    long lockedEvents(Range range) {
        return execution.isTerminal() || range == Range.PINNED ? 0 : count(range);
    }

    /** Returns true if anything is known of the execution: an event, or a declaration. */
    public boolean isKnown() {
        return execution.isDeclared() || totalEvents() > 0;
    }

    /** Returns true if the execution says when its events were completed, and not each event itself. */
    public boolean isCompletedAsOne() {
        return number > 0;
    }

    /** An event of this segment as the decision sees it. */
    public EventFacts facts(EventFacts event) {
        return number == 0 && execution.isTerminal() ? event : new ExecutedEvent(event, execution);
    }

    /** The time that the age of an event counts from whose key has that anchor. */
    public long anchorMs(long anchorInKey, Anchor anchor) {
        Long completedAt = execution.completedAt();
        return anchor == Anchor.COMPLETED && isCompletedAsOne() && completedAt != null ? completedAt : anchorInKey;
    }

    /** Heads in which inserts note their positions. */
    public Heads headsForInsert() {
        return movedHeads == null ? heads : movedHeads;
    }

    void add(Location location, int sign) {
        int index = location.range().ordinalOfEvents();
        events[index] += sign;
        bytes[index] += sign * location.sizeBytes();
        wishes += location.isWish() ? sign : 0;
        isGuarded = false;
    }

    public void encode(ByteWriter out) {
        for (int i = 0; i < events.length; i++) {
            out.writeVarLong(events[i]).writeVarLong(bytes[i]);
        }
        out.writeVarLong(wishes).writeVarLong(openSinceMs).writeVarLong(latestCompletedMs);
        encodeExecution(out);
        heads.encode(out);
        out.writeByte(movedHeads == null ? 0 : 1);
        if (movedHeads != null) {
            movedHeads.encode(out);
        }
    }

    /** The first key of the range that may be live; during a move events lie below the heads of either arrangement. */
    public Bytes startOf(Range range) {
        Position head = heads.of(range);
        if (stream.isMoving() || head == null) {
            return number == 0
                    ? EventKeys.start(range, stream.sid())
                    : EventKeys.positional(range, stream.sid(), new Position(number, 0, 0));
        }
        return EventKeys.positional(range, stream.sid(), head);
    }

    public static Segment decode(StreamState stream, long number, ByteReader in) {
        Segment segment = new Segment(stream, number);
        for (int i = 0; i < segment.events.length; i++) {
            segment.events[i] = in.readVarLong();
            segment.bytes[i] = in.readVarLong();
        }
        segment.wishes = in.readVarLong();
        segment.openSinceMs = in.readVarLong();
        segment.latestCompletedMs = in.readVarLong();
        segment.execution = decodeExecution(number, in);
        segment.heads = Heads.decode(in);
        segment.movedHeads = in.readByte() == 0 ? null : Heads.decode(in);
        return segment;
    }

    private void encodeExecution(ByteWriter out) {
        out.writeByte(execution.isDeclared() ? 1 : 0);
        if (execution.isDeclared()) {
            out.writeText(String.valueOf(execution.status())).writeByte(execution.isTerminal() ? 1 : 0);
            writeTime(out, execution.startedAt());
            writeTime(out, execution.completedAt());
        }
    }

    private static Execution decodeExecution(long number, ByteReader in) {
        return in.readByte() == 0
                ? Execution.undeclared(number)
                : new Execution(number, in.readText(), in.readByte() != 0, readTime(in), readTime(in));
    }

    private static void writeTime(ByteWriter out, @Nullable Long time) {
        out.writeByte(time == null ? 0 : 1);
        if (time != null) {
            out.writeLong(time);
        }
    }

    private static @Nullable Long readTime(ByteReader in) {
        return in.readByte() == 0 ? null : (Long) in.readLong();
    }

    /** A copy that can be counted down without anything being deleted. */
    Segment shadow(StreamState shadowStream) {
        Segment copy = new Segment(shadowStream, number);
        System.arraycopy(events, 0, copy.events, 0, events.length);
        System.arraycopy(bytes, 0, copy.bytes, 0, bytes.length);
        copy.execution = execution;
        copy.heads.include(heads);
        copy.wishes = wishes;
        copy.unwalked = events.clone();
        return copy;
    }

    @Override
    public String toString() {
        return stream + " execution " + number;
    }

    public long number() {
        return number;
    }

    public Execution execution() {
        return execution;
    }

    public long openSinceMs() {
        return openSinceMs;
    }

    public StreamState stream() {
        return stream;
    }

    public long wishes() {
        return wishes;
    }

    public Heads heads() {
        return heads;
    }

    boolean isGuarded() {
        return isGuarded;
    }

    @Nullable
    public Bytes dueCursor() {
        return dueCursor;
    }

    public long latestCompletedMs() {
        return latestCompletedMs;
    }

    @Nullable
    public Heads movedHeads() {
        return movedHeads;
    }

    boolean isUnsaved() {
        return isUnsaved;
    }

    long guardedUntilMs() {
        return guardedUntilMs;
    }

    @Nullable
    public SliceMemory deadlines() {
        return deadlines;
    }

    boolean isChanged() {
        return isChanged;
    }

    /** The bytes of the events in the range. */
    public long bytes(Range range) {
        return bytes[range.ordinalOfEvents()];
    }

    /** Replaces the figures by those that a recount found. */
    public void recounted(long[] countedEvents, long[] countedBytes, long countedWishes, Heads countedHeads) {
        System.arraycopy(countedEvents, 0, events, 0, events.length);
        System.arraycopy(countedBytes, 0, bytes, 0, bytes.length);
        wishes = countedWishes;
        heads = countedHeads;
        isGuarded = false;
    }

    /** Changes the execution; totals of the stream and the namespace are counted by the caller. */
    void changeTo(Execution changed) {
        execution = changed;
    }

    /** Notes that the execution works from that time on, epoch milliseconds. */
    public void beginWork(long nowMs) {
        openSinceMs = nowMs;
    }

    /** Notes that the execution is terminal. */
    public void endWork() {
        openSinceMs = 0;
    }

    /** Remembers a completion if it is the latest one so far. */
    public void complete(long completedAtMs) {
        latestCompletedMs = Math.max(latestCompletedMs, completedAtMs);
    }

    /** Notes that events are put into another arrangement from now on. */
    void beginMove() {
        movedHeads = new Heads();
    }

    /** Notes that all events are in the new arrangement, which begins at these heads. */
    public void endMove(Heads moved) {
        heads = moved;
        movedHeads = null;
    }

    /** Notes that {@code keepLast} keeps all due events; no other deadline lies before that epoch millisecond. */
    public void guard(long untilMs) {
        isGuarded = true;
        guardedUntilMs = untilMs;
    }

    /** Notes that due events may go again. */
    void unguard() {
        isGuarded = false;
    }

    /** Notes that the next slice of a shadow begins behind that deadline. */
    public void passDeadline(Bytes key) {
        dueCursor = Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
    }

    /** Keeps the deadlines that were read for the next slice of a shadow; null if none are left. */
    public void keepDeadlines(@Nullable SliceMemory left) {
        deadlines = left;
    }

    void setUnsaved(boolean isUnsavedNow) {
        isUnsaved = isUnsavedNow;
    }

    void setChanged(boolean isChangedNow) {
        isChanged = isChangedNow;
    }
}
