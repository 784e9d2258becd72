package dev.ebb.store.arrival;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.StreamExtent;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StatusesInForce;
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
 * Moves the events of a stream, in slices, to where another policy or another set of terminal statuses wants them
 * and has their rows in SQL come or go (F-13). Examining an event twice does no harm, so nothing is lost if a
 * move starts over or meets an event that it has already moved.
 */
public final class StreamMover {

    private final EventTable events;
    private final StreamTable streams;
    private final StatusesInForce statuses;

    public StreamMover(EventTable events, StreamTable streams, StatusesInForce statuses) {
        this.events = events;
        this.streams = streams;
        this.statuses = statuses;
    }

    /**
     * Begins a move to the target arrangement, if any events must move, or their rows in SQL come or go.
     *
     * @param hasRows true if SQL is to have rows of the stream (F-13)
     * @return true if anything about the stream changed
     */
    public boolean begin(StreamState stream, Arrangement target, boolean hasRows) {
        boolean changesRows = hasRows != stream.hasRows();
        if (stream.move() != null) {
            return beginAgain(stream, stream.move(), target, changesRows);
        }
        if (target.equals(stream.arrangement()) && !changesRows) {
            return false;
        }
        Move move = Move.between(stream.arrangement(), target, stream.wishes() > 0, changesRows);
        if (changesRows) {
            turnRows(stream, move);
        }
        if (hasNothingToVisit(stream, move)) {
            stream.arrange(target);
        } else {
            stream.beginMove(move);
        }
        return true;
    }

    /**
     * Gives the stream rows in SQL, or takes them away. Changes that wait for the commit belong to the former choice, and
     * must reach the log before those of the new one.
     */
    private void turnRows(StreamState stream, Move move) {
        events.log().sendWaiting();
        stream.giveRows(!stream.hasRows());
        move.rowsGo(stream.hasRows() ? 0 : stream.totalEvents());
    }

    /**
     * Directs a move under way to another target. The former move has put events into both arrangements, so the new one
     * starts from all of them.
     */
    private boolean beginAgain(StreamState stream, Move move, Arrangement target, boolean changesRows) {
        if (move.target().equals(target) && !changesRows) {
            return false;
        }
        for (Segment segment : stream.segments()) {
            segment.heads().include(Objects.requireNonNull(segment.movedHeads()));
        }
        Move next = move.towards(target, changesRows);
        if (changesRows) {
            turnRows(stream, next);
        }
        stream.beginMove(next);
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
        return !hasExecutions || !move.isSorting();
    }

    /** Continues the move; returns true if it is done, false if the budget ended the slice. */
    public boolean advance(StreamState stream, long nowMs, SweepBudget budget, MoveListener listener) {
        while (stream.move() != null) {
            Move move = stream.move();
            if (move.isSorting() && !move.hasReclassified()) {
                reclassifyExecutions(stream, nowMs, listener);
                move.reclassified();
            }
            long rows = move.takeRowsToTell();
            if (rows > 0) {
                listener.rowsGo(stream, rows);
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

    /** Makes executions terminal, or opens them, by the other set of terminal statuses. */
    private void reclassifyExecutions(StreamState stream, long nowMs, MoveListener listener) {
        for (Segment segment : stream.segments()) {
            Execution execution = segment.execution();
            boolean isTerminal = ExecutionUpdates.isTerminal(statuses, segment.number(), execution.status());
            if (execution.isDeclared() && isTerminal != execution.isTerminal()) {
                events.beginWriting();
                reclassify(segment, isTerminal, nowMs);
                listener.changed(new ExecutionChange(stream, segment.execution(), stream.parent()));
                events.endWriting();
            }
        }
    }

    private void reclassify(Segment segment, boolean isTerminal, long nowMs) {
        if (isTerminal) {
            segment.endWork();
        } else {
            segment.beginWork(nowMs);
        }
        Execution former = segment.execution();
        Long completedAt = isTerminal ? (Long) nowMs : null;
        streams.changeExecution(
                segment, new Execution(former.number(), former.status(), isTerminal, former.startedAt(), completedAt));
        Retiming.noteCompletion(segment);
    }

    private void finish(StreamState stream, Move move) {
        stream.arrange(move.target());
        for (Segment segment : stream.segments()) {
            Heads moved = Objects.requireNonNull(segment.movedHeads());
            keepUnvisited(segment, moved, move);
            segment.endMove(moved);
            stream.change(segment);
        }
        stream.endMove();
        stream.rearranged();
        if (move.mustRetime()) {
            Retiming.begin(stream);
        }
    }

    /** Keeps the heads of ranges that the move did not visit: their events lie where they did. */
    private static void keepUnvisited(Segment segment, Heads moved, Move move) {
        for (Range range : Range.OF_EVENTS) {
            if (!move.visits(range) && range.isPositional()) {
                keepHead(segment, moved, range);
            }
        }
        if (!move.visits(Range.TIMED)) {
            moved.raiseDue(Math.min(moved.dueMs(), segment.heads().dueMs()));
        }
    }

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
        StoredEvent reclassified = reclassified(stream, value, nowMs);
        EventHeader now = reclassified == null ? header : EventHeader.of(reclassified, header.sizeBytes());
        Location location = events.locate(segment, now, old.position().anchorMs());
        boolean isTaken = !location.equals(old) && events.isTaken(stream, location, header.id());
        StoredEvent changed = isTaken ? behindAll(stream, reclassified, value) : reclassified;
        events.beginWriting();
        if (changed == null) {
            rearrange(former, location, value);
        } else {
            events.place(segment, changed, header.sizeBytes(), former, nowMs);
        }
        if (reclassified != null) {
            listener.changed(stream, reclassified);
        } else if (changesRows(stream)) {
            listener.changed(stream, StoredEventCodec.decode(stream.stream(), value));
        }
        events.endWriting();
    }

    /** Returns the event at the next place in the order of arrival, since another event has its own. */
    private static StoredEvent behindAll(StreamState stream, @Nullable StoredEvent reclassified, byte[] value) {
        StoredEvent event = reclassified == null ? StoredEventCodec.decode(stream.stream(), value) : reclassified;
        StoredEvent behind = event.withSeq(stream.nextSeq());
        stream.stored(behind.seq(), behind.storedAt());
        stream.suspect("two events of " + stream + " had one place in the order of arrival");
        return behind;
    }

    private void rearrange(Found former, Location location, byte[] value) {
        Segment segment = former.segment();
        if (location.equals(former.location())) {
            segment.headsForInsert().include(location);
            segment.stream().change(segment);
            if (changesRows(segment.stream())) {
                events.renewRow(segment.stream(), former.event(), location, value);
            }
        } else {
            events.move(segment, former.event(), location, value, former);
        }
    }

    private static boolean changesRows(StreamState stream) {
        return stream.move() != null && stream.move().changesRows();
    }

    /** Returns the event with its new class if the terminal statuses now class its status otherwise; else null. */
    private @Nullable StoredEvent reclassified(StreamState stream, byte[] value, long nowMs) {
        Move move = stream.move();
        if (move == null || !move.isSorting()) {
            return null;
        }
        StoredEvent stored = StoredEventCodec.decode(stream.stream(), value);
        boolean isProtected = !statuses.isTerminal(stored.event().status());
        if (isProtected == stored.isProtected()) {
            return null;
        }
        Event event = stored.event();
        Long completedAt = isProtected ? null : (Long) nowMs;
        Event changed =
                Arrivals.with(event, event.status(), event.occurredAt(), completedAt, event.ttl(), event.metadata());
        return new StoredEvent(changed, stored.storedAt(), stored.seq(), isProtected);
    }
}
