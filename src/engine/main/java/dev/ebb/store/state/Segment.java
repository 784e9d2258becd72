package dev.ebb.store.state;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The events of one execution of a stream: how many there are, where they begin, and whether the work of the execution
 * is done. Its keys lie side by side, so an execution is protected or freed by its summary alone, and no event is moved
 * (M-5). Written only by the {@code EventStore} that owns it, on the thread of its task.
 */
public final class Segment {

    /** Time that says that {@code keepLast} does not keep all due events. */
    static final long UNGUARDED = Long.MIN_VALUE;

    private final StreamState stream;
    private final long number;
    private EventTotals totals = new EventTotals();
    private Execution execution;
    private Heads heads = new Heads();

    /** Heads of the events that a move has put into the new arrangement; null while nothing moves. */
    private @Nullable Heads movedHeads;

    /** Time at which the execution was last seen to begin work, epoch milliseconds; 0 while it is terminal. */
    private long openSinceMs;

    /** The latest completion that the execution ever had, epoch milliseconds; 0 if it had none. */
    private long latestCompletedMs;

    /** True if the index of executions has yet to be told of a change. */
    private boolean isChanged;

    /** Time up to which {@code keepLast} keeps all due events, see {@link #guard}. */
    private long guardedUntilMs = UNGUARDED;

    /** Null unless this is part of a shadow. */
    private @Nullable ShadowWalk shadowWalk;

    public Segment(StreamState stream, long number) {
        this.stream = stream;
        this.number = number;
        this.execution = Execution.undeclared(number);
    }

    public long count(Range range) {
        return totals.count(range);
    }

    /** Number of events that a walk from the range's head on meets: in a shadow also those that count as deleted. */
    public long unwalked(Range range) {
        return shadowWalk == null ? count(range) : shadowWalk.unwalked(range);
    }

    public void walked(Range range) {
        if (shadowWalk != null) {
            shadowWalk.walked(range);
        }
    }

    public long totalEvents() {
        return totals.events();
    }

    public long totalBytes() {
        return totals.bytes();
    }

    /** Events that retention may remove: ordered and timed ones, once the work is done. */
    public long eligibleEvents() {
        return execution.isTerminal() ? count(Range.ORDERED) + count(Range.TIMED) : 0;
    }

    public long eligibleBytes() {
        return execution.isTerminal() ? totals.bytes(Range.ORDERED) + totals.bytes(Range.TIMED) : 0;
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
        totals.add(location, sign);
        guardedUntilMs = UNGUARDED;
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

    /** Returns true if an event that is not protected may have an anchor before that time, as far as the heads say. */
    public boolean mayBeginBefore(long timeMs) {
        for (Range range : Range.OF_EVENTS) {
            Position head = range.isPositional() && count(range) > 0 ? heads.of(range) : null;
            if (head != null && head.anchorMs() < timeMs) {
                return execution.isTerminal();
            }
        }
        return false;
    }

    /** A copy that can be counted down without anything being deleted. */
    Segment shadow(StreamState shadowStream) {
        Segment copy = new Segment(shadowStream, number);
        copy.totals.add(totals, 1);
        copy.execution = execution;
        copy.heads.include(heads);
        copy.shadowWalk = new ShadowWalk(totals);
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

    public EventTotals totals() {
        return totals;
    }

    public Heads heads() {
        return heads;
    }

    /** Progress of walks; null unless this is part of a shadow. */
    public @Nullable ShadowWalk shadowWalk() {
        return shadowWalk;
    }

    public long latestCompletedMs() {
        return latestCompletedMs;
    }

    public @Nullable Heads movedHeads() {
        return movedHeads;
    }

    long guardedUntilMs() {
        return guardedUntilMs;
    }

    boolean isChanged() {
        return isChanged;
    }

    /** Replaces the figures by those that a recount found. */
    public void recounted(EventTotals countedTotals, Heads countedHeads) {
        totals = countedTotals;
        heads = countedHeads;
        guardedUntilMs = UNGUARDED;
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

    /** Notes that events are put into another arrangement, where so far they begin at these heads. */
    void beginMove(Heads moved) {
        movedHeads = moved;
    }

    /** Notes that all events are in the new arrangement, which begins at these heads. */
    public void endMove(Heads moved) {
        heads = moved;
        movedHeads = null;
    }

    /** Notes that {@code keepLast} keeps all due events; no other deadline lies before that epoch millisecond. */
    public void guard(long untilMs) {
        guardedUntilMs = untilMs;
    }

    /** Notes that due events may go again. */
    void unguard() {
        guardedUntilMs = UNGUARDED;
    }

    void setChanged(boolean isChangedNow) {
        isChanged = isChangedNow;
    }
}
