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
 * Walks the events of one range of an execution from its head on. It opens an iterator only where the count says that
 * there is an event, and never asks for more events than that: an iterator of Kafka Streams reads one entry ahead
 * and would walk over every tombstone behind the last live one. Not thread-safe.
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

    /** The event at the head; null if none is left. */
    public @Nullable Candidate peek() {
        if (current == null && left > 0) {
            current = read();
        }
        return current;
    }

    /** Goes on behind the event at the head, which the caller has removed. */
    public void take() {
        Candidate taken = peek();
        lastTaken = taken == null ? null : taken.position();
        current = null;
        left--;
        segment.walked(range);
    }

    /** Position at which the range begins now, as far as the walk came. */
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

    /** A range with one event whose first and last position are the same needs no iterator. */
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

    /** The stream of a shadow may have lost events since the shadow was taken; in any other case something is wrong. */
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
     * @param range the range that the event lies in
     * @param position its position there
     * @param event the header of the event
     * @param value the whole event, as it is stored
     */
    public @SuppressWarnings("ArrayRecordComponent") // never compared
    record Candidate(Range range, Position position, EventHeader event, byte[] value) {

        /** Place of the event, from its record alone, so that the id index need not be asked. */
        public Location location() {
            return Location.of(range, position, event, value);
        }

        /** The one with the lower position; null if there is neither. */
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
