package dev.ebb.store;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.retention.SweepBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Moves the events of a stream to where another policy or another set of terminal statuses wants them, in slices.
 * Looking at an event twice does no harm, so nothing is lost if a move starts over or meets an event that it moved.
 */
final class StreamMover {

    private static final int BATCH = 64;

    private final EventStore store;

    StreamMover(EventStore store) {
        this.store = store;
    }

    /**
     * Notes that the events must move, if there are any that must.
     *
     * @return whether anything about the stream changed
     */
    boolean begin(StreamState stream, Arrangement target) {
        if (stream.move != null) {
            return beginAgain(stream, stream.move, target);
        }
        if (target.equals(stream.arrangement)) {
            return false;
        }
        Move move = Move.between(stream.arrangement, target);
        if (hasNothingToVisit(stream, move)) {
            stream.arrangement = target;
        } else {
            stream.move = move;
        }
        return true;
    }

    /** A move that is under way has put events into both arrangements: another target starts from all of them. */
    private static boolean beginAgain(StreamState stream, Move move, Arrangement target) {
        if (move.target().equals(target)) {
            return false;
        }
        Arrangement unknown = new Arrangement(
                target.anchor() == move.target().anchor()
                        ? stream.arrangement.anchor()
                        : move.target().anchor(),
                target.minTtlMs(),
                target.maxTtlMs(),
                target.allowInfinite(),
                target.maxAgeMs(),
                target.statuses() == move.target().statuses()
                        ? stream.arrangement.statuses()
                        : move.target().statuses());
        stream.heads.include(move.heads());
        stream.move = Move.between(unknown, target);
        return true;
    }

    private static boolean hasNothingToVisit(StreamState stream, Move move) {
        for (Range range : Range.OF_EVENTS) {
            if (move.visits(range) && stream.count(range) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the move is done; false if the budget ended it. */
    boolean advance(StreamState stream, long nowMs, SweepBudget budget, Consumer<StoredEvent> reclassified) {
        Move move = stream.move;
        while (move != null && move.range() != null) {
            if (budget.isSpent()) {
                return false;
            }
            List<KeyValue<Bytes, byte[]>> batch = nextBatch(stream, move, move.range());
            for (KeyValue<Bytes, byte[]> entry : batch) {
                moveOne(stream, entry, nowMs, reclassified);
                move.goOnAfter(entry.key);
                budget.spendStep();
            }
            if (batch.size() < BATCH) {
                move.finishRange();
            }
        }
        finish(stream);
        return true;
    }

    private static void finish(StreamState stream) {
        Move move = stream.move;
        if (move == null) {
            return;
        }
        stream.arrangement = move.target();
        for (Range range : Range.OF_EVENTS) {
            if (!move.visits(range) && range.isPositional()) {
                keepHead(stream, move.heads(), range);
            }
        }
        stream.heads = move.heads();
        stream.move = null;
    }

    /** The events of a range that was not visited are where they were. */
    private static void keepHead(StreamState stream, Heads moved, Range range) {
        Heads before = stream.heads;
        Position head = before.of(range);
        if (head != null) {
            moved.include(new Location(range, head, Location.NO_DUE, 0));
        }
        Position tail = range == Range.ORDERED ? before.orderedTail() : null;
        if (tail != null) {
            moved.include(new Location(range, tail, Location.NO_DUE, 0));
        }
    }

    private List<KeyValue<Bytes, byte[]>> nextBatch(StreamState stream, Move move, Range range) {
        List<KeyValue<Bytes, byte[]>> batch = new ArrayList<>();
        Bytes from = from(stream, move, range);
        if (from == null || stream.count(range) == 0) {
            return batch;
        }
        try (var entries = store.events().range(from, EventKeys.sentinel(range, stream.sid))) {
            while (batch.size() < BATCH && entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                if (EventKeys.isSentinel(entry.key)) {
                    break;
                }
                batch.add(entry);
            }
        }
        return batch;
    }

    private static @Nullable Bytes from(StreamState stream, Move move, Range range) {
        if (move.cursor() != null) {
            return move.cursor();
        }
        if (range == Range.PINNED) {
            return EventKeys.start(range, stream.sid);
        }
        Position head = stream.heads.of(range);
        return head == null ? null : EventKeys.positional(range, stream.sid, head);
    }

    private void moveOne(
            StreamState stream, KeyValue<Bytes, byte[]> entry, long nowMs, Consumer<StoredEvent> reclassified) {
        EventHeader header = StoredEventCodec.decodeHeader(entry.value);
        Location old = store.locationOf(stream, header.id());
        if (old == null) {
            throw new IllegalStateException("an event of stream " + stream + " is missing in the id index");
        }
        StoredEvent changed = reclassified(stream, entry.value, nowMs);
        if (changed != null) {
            store.place(stream, changed, header.sizeBytes(), old);
            reclassified.accept(changed);
            return;
        }
        Location location = store.locate(stream, header);
        if (location.equals(old)) {
            stream.headsForInsert().include(old);
        } else {
            store.replace(stream, header.id(), location, entry.value, old);
        }
    }

    /** The event with another class if its status stands for another one now; else null. */
    private @Nullable StoredEvent reclassified(StreamState stream, byte[] value, long nowMs) {
        Move move = stream.move;
        if (move == null || !move.visits(Range.PINNED)) {
            return null;
        }
        StoredEvent stored = StoredEventCodec.decode(stream.stream(), value);
        boolean isProtected = !store.isTerminal(stored.event().status());
        if (isProtected == stored.isProtected()) {
            return null;
        }
        Event event = stored.event();
        Event changed = EventStore.with(
                event,
                event.status(),
                event.occurredAt(),
                isProtected ? null : (Long) nowMs,
                event.ttl(),
                event.metadata());
        return new StoredEvent(changed, stored.storedAt(), stored.seq(), isProtected);
    }
}
