package dev.ebb.store.arrival;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.StreamExtent;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Heads;
import dev.ebb.store.state.Move;
import dev.ebb.store.state.Passage.Outcome;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Moves the events of a stream to where another policy or another set of terminal statuses wants them, in slices.
 * Looking at an event twice does no harm, so nothing is lost if a move starts over or meets an event that it moved.
 */
public final class StreamMover {

    private final EventTable events;
    private final StreamTable streams;
    private final TerminalStatuses statuses;

    public StreamMover(EventTable events, StreamTable streams, TerminalStatuses statuses) {
        this.events = events;
        this.streams = streams;
        this.statuses = statuses;
    }

    /**
     * Notes that the events must move, if there are any that must.
     *
     * @return true if anything about the stream changed
     */
    public boolean begin(StreamState stream, Arrangement target) {
        if (stream.move() != null) {
            return beginAgain(stream, stream.move(), target);
        }
        if (target.equals(stream.arrangement())) {
            return false;
        }
        Move move = Move.between(stream.arrangement(), target, stream.wishes() > 0);
        if (hasNothingToVisit(stream, move)) {
            stream.arrange(target);
        } else {
            stream.beginMove(move);
        }
        return true;
    }

    /**
     * Deadlines that count from the completion of an execution may lie too late when a new completion is earlier than
     * the one before.
     *
     * @return true if a move has begun that looks at them anew
     */
    boolean noteCompletion(Segment segment) {
        Long completedAt = segment.execution().completedAt();
        if (completedAt == null || segment.number() == 0) {
            return false;
        }
        boolean isEarlier = completedAt < segment.latestCompletedMs();
        segment.complete(completedAt);
        boolean wasMoving = segment.stream().isMoving();
        if (isEarlier && hasDeadlinesByCompletion(segment.stream())) {
            retime(segment.stream());
        }
        return segment.stream().isMoving() != wasMoving;
    }

    /** A move has put some events already where its target wants them. */
    private static boolean hasDeadlinesByCompletion(StreamState stream) {
        return stream.arrangement().anchor() == Anchor.COMPLETED
                || (stream.move() != null && stream.move().target().anchor() == Anchor.COMPLETED);
    }

    /**
     * Looks at all timed events of the stream anew: their deadlines may lie too late. A move that is under way may have
     * passed some of them already, so it is followed by another one.
     */
    private void retime(StreamState stream) {
        if (stream.move() != null) {
            stream.move().retimeAfterwards();
        } else if (stream.count(Range.TIMED) > 0) {
            Arrangement unbounded = new Arrangement(
                    stream.arrangement().anchor(),
                    -1,
                    -1,
                    -1,
                    stream.arrangement().allowInfinite(),
                    stream.arrangement().statuses());
            stream.beginMove(Move.between(unbounded, stream.arrangement(), false));
        }
    }

    /** A move that is under way has put events into both arrangements: another target starts from all of them. */
    private static boolean beginAgain(StreamState stream, Move move, Arrangement target) {
        if (move.target().equals(target)) {
            return false;
        }
        for (Segment segment : stream.segments()) {
            segment.heads().include(Objects.requireNonNull(segment.movedHeads()));
        }
        stream.beginMove(move.towards(target));
        return true;
    }

    private static boolean hasNothingToVisit(StreamState stream, Move move) {
        for (Range range : Range.OF_EVENTS) {
            if (move.visits(range) && stream.count(range) > 0) {
                return false;
            }
        }
        boolean hasExecutions =
                stream.executions() != null || stream.root().execution().isDeclared();
        return !hasExecutions || !move.visits(Range.PINNED);
    }

    /** Returns whether the move is done; false if the budget ended it. */
    public boolean advance(StreamState stream, long nowMs, SweepBudget budget, MoveListener listener) {
        while (stream.move() != null) {
            Move move = stream.move();
            if (move.visits(Range.PINNED) && !move.hasReclassified()) {
                reclassifyExecutions(stream, nowMs, listener);
                move.reclassified();
            }
            if (!moveAll(stream, move, nowMs, budget, listener)) {
                return false;
            }
            finish(stream, move);
        }
        return true;
    }

    private boolean moveAll(StreamState stream, Move move, long nowMs, SweepBudget budget, MoveListener listener) {
        return move.passage().slice(events.store(), new StreamExtent(stream), budget, (range, key, value) -> {
            moveOne(stream, locationOf(range, key, value), value, nowMs, listener);
            budget.spendStep();
            return Outcome.GONE;
        });
    }

    /** Another set of terminal statuses makes executions terminal, or opens them. */
    private void reclassifyExecutions(StreamState stream, long nowMs, MoveListener listener) {
        for (Segment segment : stream.segments()) {
            Execution execution = segment.execution();
            boolean isTerminal = ExecutionUpdates.isTerminal(statuses, segment.number(), execution.status());
            if (execution.isDeclared() && isTerminal != execution.isTerminal()) {
                Execution changed = new Execution(
                        execution.number(),
                        execution.status(),
                        isTerminal,
                        execution.startedAt(),
                        isTerminal ? (Long) nowMs : null);
                events.beginWriting();
                if (isTerminal) {
                    segment.endWork();
                } else {
                    segment.beginWork(nowMs);
                }
                streams.changeExecution(segment, changed);
                noteCompletion(segment);
                listener.reclassified(new ExecutionChange(stream, changed, stream.parent()));
                events.endWriting();
            }
        }
    }

    private void finish(StreamState stream, Move move) {
        stream.arrange(move.target());
        for (Segment segment : stream.segments()) {
            Heads moved = Objects.requireNonNull(segment.movedHeads());
            for (Range range : Range.OF_EVENTS) {
                if (!move.visits(range) && range.isPositional()) {
                    keepHead(segment, moved, range);
                }
            }
            if (!move.visits(Range.TIMED)) {
                moved.raiseDue(Math.min(moved.dueMs(), segment.heads().dueMs()));
            }
            segment.endMove(moved);
            stream.change(segment);
        }
        stream.endMove();
        stream.rearranged();
        if (move.mustRetime()) {
            retime(stream);
        }
    }

    /** The events of a range that was not visited are where they were. */
    private static void keepHead(Segment segment, Heads moved, Range range) {
        Heads before = segment.heads();
        Position head = before.of(range);
        if (head != null) {
            moved.include(new Location(range, head, Location.NO_DUE, 0));
        }
        Position tail = range == Range.ORDERED ? before.orderedTail() : null;
        if (tail != null) {
            moved.include(new Location(range, tail, Location.NO_DUE, 0));
        }
    }

    private static Location locationOf(Range range, Bytes key, byte[] value) {
        return Location.of(range, key.get(), StoredEventCodec.decodeIdentity(value), value);
    }

    private void moveOne(StreamState stream, Location old, byte[] value, long nowMs, MoveListener listener) {
        EventHeader header = StoredEventCodec.decodeHeader(value);
        Segment segment = Objects.requireNonNull(stream.segment(header.execution()));
        if (events.locationOf(stream, header.id()) == null) {
            stream.suspect("an event of " + stream + " is missing in the id index");
        }
        Found former = new Found(segment, header, old);
        StoredEvent changed = reclassified(stream, value, nowMs);
        Location location = events.locate(segment, header, old.position().anchorMs());
        events.beginWriting();
        if (changed != null) {
            events.place(segment, changed, header.sizeBytes(), former, nowMs);
            listener.reclassified(changed);
            events.endWriting();
            return;
        }
        if (location.equals(old)) {
            segment.headsForInsert().include(old);
            stream.change(segment);
        } else {
            events.replace(segment, header, location, value, former);
        }
        events.endWriting();
    }

    /** The event with another class if its status stands for another one now; else null. */
    private @Nullable StoredEvent reclassified(StreamState stream, byte[] value, long nowMs) {
        Move move = stream.move();
        if (move == null || !move.visits(Range.PINNED)) {
            return null;
        }
        StoredEvent stored = StoredEventCodec.decode(stream.stream(), value);
        boolean isProtected = !statuses.isTerminal(stored.event().status());
        if (isProtected == stored.isProtected()) {
            return null;
        }
        Event event = stored.event();
        Event changed = Arrivals.with(
                event,
                event.status(),
                event.occurredAt(),
                isProtected ? null : (Long) nowMs,
                event.ttl(),
                event.metadata());
        return new StoredEvent(changed, stored.storedAt(), stored.seq(), isProtected);
    }
}
