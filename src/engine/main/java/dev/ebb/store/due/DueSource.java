package dev.ebb.store.due;

import dev.ebb.store.due.DueWalk.Entry;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Segment;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * One of the two sources of due events in an execution, sorted by time: its ordered events, or the deadlines of its
 * timed events. Read up to the last millisecond of the filter. Not thread-safe.
 */
final class DueSource implements AutoCloseable {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final int sid;
    private final Segment segment;
    private final Range range;
    private final DueFilter filter;
    private final @Nullable KeyValueIterator<Bytes, byte[]> iterator;
    private @Nullable Entry current;
    private boolean isAtEnd;

    /** @param from the place where the source begins; null for an empty source */
    DueSource(
            ReadOnlyKeyValueStore<Bytes, byte[]> events,
            int sid,
            Segment segment,
            Range range,
            @Nullable Bytes from,
            DueFilter filter) {
        this.events = events;
        this.sid = sid;
        this.segment = segment;
        this.range = range;
        this.filter = filter;
        this.iterator = from == null ? null : events.range(from, EventKeys.end(range, sid));
        this.isAtEnd = from == null;
    }

    /** Returns the next entry; null if nothing is left up to the last millisecond of the filter. */
    @Nullable
    Entry peek() {
        if (current == null && !isAtEnd) {
            current = read();
            isAtEnd = current == null;
        }
        return current;
    }

    void take() {
        current = null;
    }

    /** Ends the source, of which nothing more is wanted. */
    void end() {
        current = null;
        isAtEnd = true;
    }

    private @Nullable Entry read() {
        var source = Objects.requireNonNull(iterator);
        KeyValue<Bytes, byte[]> entry = source.hasNext() ? source.next() : null;
        if (entry == null || EventKeys.executionOf(entry.key) != segment.number()) {
            return null;
        }
        Entry found = range == Range.ORDERED ? ordered(entry) : timed(entry.key);
        return found.lastMs() <= filter.untilMs() ? found : null;
    }

    private Entry ordered(KeyValue<Bytes, byte[]> entry) {
        Position position = EventKeys.positionOf(entry.key);
        return new Entry(range, DueWalk.lastMs(segment, position, filter.policy()), position, entry.value);
    }

    private Entry timed(Bytes key) {
        Position position = EventKeys.positionOfDue(key);
        long dueMs = EventKeys.dueOf(key);
        byte[] value = dueMs > filter.untilMs() ? null : events.get(EventKeys.positional(Range.TIMED, sid, position));
        return new Entry(range, dueMs, position, value);
    }

    @Override
    public void close() {
        if (iterator != null) {
            iterator.close();
        }
    }
}
