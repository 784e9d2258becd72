package dev.ebb.store.events;

import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Segment;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the events of one range of an execution, from its head on. It opens an iterator only if the count says
 * that there is an event, and never asks for more events than counted: an iterator of Kafka Streams reads one
 * entry ahead and would walk over every tombstone after the last live entry. Not thread-safe.
 */
public final class HeadWalk implements AutoCloseable {

    private final EventTable events;
    private final Segment segment;
    private final Range range;
    private final @Nullable Position head;
    private long left;
    private @Nullable KeyValueIterator<Bytes, byte[]> iterator;
    private @Nullable Candidate current;
    private @Nullable Position lastTaken;
    private boolean isBroken;

    public HeadWalk(EventTable events, Segment segment, Range range) {
        this.events = events;
        this.segment = segment;
        this.range = range;
        this.head = segment.heads().of(range);
        this.left = head == null ? 0 : segment.unwalked(range);
    }

    /** Returns the event at the head; null if none is left. */
    public @Nullable Candidate peek() {
        if (current == null && left > 0) {
            current = read();
        }
        return current;
    }

    /** Moves past the event at the head, which the caller has removed. */
    public void take() {
        Candidate taken = peek();
        lastTaken = taken == null ? null : taken.position();
        current = null;
        left--;
        segment.walked(range);
    }

    /** Returns the position at which the range begins now, as far as the walk has come; null if the range is empty. */
    public @Nullable Position newHead() {
        if (current != null) {
            return current.position();
        }
        if (left <= 0 && !isBroken) {
            return null;
        }
        return lastTaken == null ? head : lastTaken.next();
    }

    @Override
    public void close() {
        if (iterator != null) {
            iterator.close();
        }
    }

    private @Nullable Candidate read() {
        if (iterator == null && isOnlyOne()) {
            return single();
        }
        if (iterator == null) {
            iterator = events.store()
                    .range(firstKey(), EventKeys.end(range, segment.stream().sid()));
        }
        var entry = iterator.hasNext() ? iterator.next() : null;
        return entry == null || isBehind(entry.key) ? missing() : Candidate.of(range, entry.key, entry.value);
    }

    /** Returns true if the range has one event and its first and last position are equal: it then needs no iterator. */
    private boolean isOnlyOne() {
        return left == 1
                && range == Range.ORDERED
                && Objects.requireNonNull(head).equals(segment.heads().orderedTail());
    }

    private @Nullable Candidate single() {
        byte[] value = events.store().get(firstKey());
        return value == null ? missing() : Candidate.of(range, firstKey(), value);
    }

    private boolean isBehind(Bytes key) {
        return EventKeys.executionOf(key) != segment.number();
    }

    /**
     * Ends the walk at a missing event. A stream may have lost events since its shadow was taken; in any other case a
     * missing event is a fault.
     */
    private @Nullable Candidate missing() {
        if (!segment.stream().isShadow()) {
            segment.stream().suspect("the usage of " + segment + " counts events that are not there");
            isBroken = true;
        }
        left = 0;
        return null;
    }

    private Bytes firstKey() {
        return EventKeys.positional(range, segment.stream().sid(), Objects.requireNonNull(head));
    }

    /**
     * An event that may go.
     *
     * @param range the range of the event
     * @param position the position of the event in the range
     * @param event the header of the event
     * @param value the whole event, as it is stored
     */
    public @SuppressWarnings("ArrayRecordComponent") // never compared
    record Candidate(Range range, Position position, EventHeader event, byte[] value) {

        /** Returns the place of the event from its record alone, without a look-up in the id index. */
        public Location location() {
            return Location.of(range, position, event, value);
        }

        /** Returns the candidate with the lower position; null if there is neither. */
        public static @Nullable Candidate first(@Nullable Candidate one, @Nullable Candidate other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return one.position().compareTo(other.position()) <= 0 ? one : other;
        }

        public static Candidate of(Range range, Bytes key, byte[] value) {
            return new Candidate(range, EventKeys.positionOf(key), StoredEventCodec.decodeHeader(value), value);
        }
    }
}
