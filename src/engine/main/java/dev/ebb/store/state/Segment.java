package dev.ebb.store.state;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The events of one execution of a stream: their number, where they begin, and whether the work of the execution is
 * done. Their keys lie side by side, so the summary alone protects or frees an execution, and no event is moved (M-5).
 * Written only by the {@code EventStore} that owns it, on the thread of its task.
 */
public final class Segment {

    /** The value of {@code guardedUntilMs} while {@code keepLast} does not keep all due events. */
    static final long UNGUARDED = Long.MIN_VALUE;

    private final StreamState stream;
    private final long number;
    private EventTotals totals = new EventTotals();
    private Execution execution;
    private Heads heads = new Heads();

    /** The heads of the events that a move has put into the new arrangement; null while nothing moves. */
    private @Nullable Heads movedHeads;

    /** The time at which the execution was last seen to begin work, epoch milliseconds; 0 while it is terminal. */
    private long openSinceMs;

    /** The latest completion that the execution ever had, epoch milliseconds; 0 if it never had one. */
    private long latestCompletedMs;

    /** The last millisecond in which the end of the execution waits for events, see {@link EndsAhead}; 0 if it does not. */
    private long awaitsUntilMs;

    /** True while {@link EndsAhead} counts the execution. */
    private boolean countsAsAhead;

    /** True if the index of executions has yet to take in a change. */
    private boolean isChanged;

    /** The time up to which {@code keepLast} keeps all due events, see {@link #guard}. */
    private long guardedUntilMs = UNGUARDED;

    /** The progress of walks; null unless this is part of a shadow. */
    private @Nullable ShadowWalk shadowWalk;

    public Segment(StreamState stream, long number) {
        this.stream = stream;
        this.number = number;
        this.execution = Execution.undeclared(number);
    }

    public long count(Range range) {
        return totals.count(range);
    }

    /**
     * Returns the number of events that a walk from the range's head on meets; in a shadow this includes events that
     * count as deleted.
     */
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

    /** Returns the number of events that retention may remove: ordered and timed ones, once the work is done. */
    public long eligibleEvents() {
        return execution.isTerminal() ? count(Range.ORDERED) + count(Range.TIMED) : 0;
    }

    public long eligibleBytes() {
        return execution.isTerminal() ? totals.bytes(Range.ORDERED) + totals.bytes(Range.TIMED) : 0;
    }

    /** Returns the number of events that the execution alone protects. */
    public long lockedEvents() {
        return execution.isTerminal() ? 0 : totalEvents() - count(Range.PINNED);
    }

    /**
     * Returns the number of events in the range that the execution alone protects; events protected by themselves do
     * not count.
     */
    long lockedEvents(Range range) {
        return execution.isTerminal() || range == Range.PINNED ? 0 : count(range);
    }

    /** Returns true if anything is known of the execution: an event or a declaration. */
    public boolean isKnown() {
        return execution.isDeclared() || totalEvents() > 0;
    }

    /** Returns true if the execution, not each event, determines when its events were completed. */
    public boolean isCompletedAsOne() {
        return number > 0;
    }

    /** Returns an event of this segment as the decision sees it. */
    public EventFacts facts(EventFacts event) {
        return number == 0 && execution.isTerminal() ? event : new ExecutedEvent(event, execution);
    }

    /** Returns the decision about an event of this segment, see {@link RetentionDecider}. */
    public Decision decide(EventFacts event, Place place, EffectivePolicy policy, Cover cover, long nowMs) {
        return RetentionDecider.decide(facts(event), place, policy, cover, nowMs);
    }

    /** Returns the time from which the age of an event counts, given the anchor in its key. */
    public long anchorMs(long anchorInKey, Anchor anchor) {
        Long completedAt = execution.completedAt();
        return anchor == Anchor.COMPLETED && isCompletedAsOne() && completedAt != null ? completedAt : anchorInKey;
    }

    /** Returns the heads that inserts must lower. */
    public Heads headsForInsert() {
        return movedHeads == null ? heads : movedHeads;
    }

    void add(Location location, int sign) {
        totals.add(location, sign);
        guardedUntilMs = UNGUARDED;
    }

    /**
     * Returns the first key of the range that may be live. During a move, events lie below the heads of either
     * arrangement.
     */
    public Bytes startOf(Range range) {
        Position head = heads.of(range);
        if (stream.isMoving() || head == null) {
            return number == 0
                    ? EventKeys.start(range, stream.sid())
                    : EventKeys.positional(range, stream.sid(), new Position(number, 0, 0));
        }
        return EventKeys.positional(range, stream.sid(), head);
    }

    /**
     * Returns true if, according to the heads, an event that is not protected may have an anchor before {@code timeMs}.
     */
    public boolean mayBeginBefore(long timeMs) {
        for (Range range : Range.OF_EVENTS) {
            Position head = range.isPositional() && count(range) > 0 ? heads.of(range) : null;
            if (head != null && head.anchorMs() < timeMs) {
                return execution.isTerminal();
            }
        }
        return false;
    }

    /** Returns a copy to count down without deleting anything. */
    Segment shadow(StreamState shadowStream) {
        Segment copy = new Segment(shadowStream, number);
        copy.totals.add(totals, 1);
        copy.execution = execution;
        copy.awaitsUntilMs = awaitsUntilMs;
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

    /** Returns the progress of walks; null unless this is part of a shadow. */
    public @Nullable ShadowWalk shadowWalk() {
        return shadowWalk;
    }

    public long latestCompletedMs() {
        return latestCompletedMs;
    }

    /** Returns the last millisecond in which the end of the execution waits for its events; 0 if it does not wait. */
    public long awaitsUntilMs() {
        return awaitsUntilMs;
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

    /** Replaces the figures by those of a recount. */
    public void recounted(EventTotals countedTotals, Heads countedHeads) {
        totals = countedTotals;
        heads = countedHeads;
        guardedUntilMs = UNGUARDED;
    }

    /** Changes the execution; the caller updates the totals of the stream and the namespace. */
    void changeTo(Execution changed) {
        execution = changed;
    }

    /** Notes that the execution works from this time on, epoch milliseconds. */
    public void beginWork(long nowMs) {
        openSinceMs = nowMs;
    }

    /** Notes that the execution is terminal. */
    public void endWork() {
        openSinceMs = 0;
    }

    /** Notes how long the end of the execution waits for its events, in epoch milliseconds; 0: it does not wait. */
    void awaitEvents(long untilMs) {
        awaitsUntilMs = untilMs;
    }

    boolean countsAsAhead() {
        return countsAsAhead;
    }

    /** Notes whether {@link EndsAhead} counts the execution. */
    void countAsAhead(boolean counts) {
        countsAsAhead = counts;
    }

    /** Remembers a completion if it is the latest so far. */
    public void complete(long completedAtMs) {
        latestCompletedMs = Math.max(latestCompletedMs, completedAtMs);
    }

    /** Notes that events are put into another arrangement, where they have these heads so far. */
    void beginMove(Heads moved) {
        movedHeads = moved;
    }

    /** Notes that all events are in the new arrangement, where they have these heads. */
    public void endMove(Heads moved) {
        heads = moved;
        movedHeads = null;
    }

    /**
     * Notes that {@code keepLast} keeps all due events; no other deadline lies before {@code untilMs}, epoch
     * milliseconds.
     */
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
