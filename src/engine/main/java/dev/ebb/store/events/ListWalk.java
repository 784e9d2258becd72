package dev.ebb.store.events;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a stream in the order in which they are listed: the positional ranges merged by position, then
 * the protected events by id. Reads no event before its turn, except the first of each range. Not thread-safe.
 */
public final class ListWalk {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final StreamState stream;
    private final ListCursor from;
    private final long lastExecution;

    /**
     * @param stream the stream; with its executions, unless the cursor names a position or no positional range is read
     */
    public ListWalk(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, ListCursor from) {
        this(events, stream, from, Long.MAX_VALUE);
    }

    /** @param lastExecution the last execution to read */
    public ListWalk(
            ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream, ListCursor from, long lastExecution) {
        this.events = events;
        this.stream = stream;
        this.from = from;
        this.lastExecution = lastExecution;
    }

    /**
     * Shows entries until the visitor returns false.
     *
     * @param ranges only entries of these ranges
     * @return the cursor of the entry that ended the walk; null if there is nothing more
     */
    public @Nullable String walk(Predicate<Range> ranges, Predicate<KeyValue<Bytes, byte[]>> visitor) {
        String end = from.isPinned() ? null : positional(ranges, visitor);
        return end != null || !ranges.test(Range.PINNED) ? end : pinned(visitor);
    }

    private @Nullable String positional(Predicate<Range> ranges, Predicate<KeyValue<Bytes, byte[]>> visitor) {
        try (Sources sources = new Sources()) {
            for (Range range : List.of(Range.ORDERED, Range.TIMED, Range.INFINITE)) {
                if (ranges.test(range) && stream.count(range) > 0) {
                    sources.open(startOf(range), endOf(range));
                }
            }
            return sources.walk(visitor);
        }
    }

    private @Nullable String pinned(Predicate<KeyValue<Bytes, byte[]>> visitor) {
        if (stream.count(Range.PINNED) == 0) {
            return null;
        }
        Bytes start = from.pinnedId() == null
                ? EventKeys.start(Range.PINNED, stream.sid())
                : EventKeys.byId(Range.PINNED, stream.sid(), from.pinnedId());
        try (Sources sources = new Sources()) {
            sources.open(start, EventKeys.end(Range.PINNED, stream.sid()));
            return sources.walk(visitor);
        }
    }

    private Bytes startOf(Range range) {
        if (from.position() != null) {
            return EventKeys.positional(range, stream.sid(), from.position());
        }
        for (Segment segment : stream.segments()) {
            if (segment.count(range) > 0) {
                return segment.startOf(range);
            }
        }
        return EventKeys.start(range, stream.sid());
    }

    private Bytes endOf(Range range) {
        return lastExecution == Long.MAX_VALUE
                ? EventKeys.end(range, stream.sid())
                : EventKeys.positional(
                        range, stream.sid(), new Position(lastExecution, Long.MAX_VALUE, Long.MAX_VALUE));
    }

    /** Several ranges, read as one. */
    private final class Sources implements AutoCloseable {

        private final List<Source> all = new ArrayList<>();

        void open(Bytes start, Bytes end) {
            if (start.compareTo(end) < 0) {
                all.add(new Source(events.range(start, end)));
            }
        }

        @Nullable
        String walk(Predicate<KeyValue<Bytes, byte[]>> visitor) {
            for (Source source = first(); source != null; source = first()) {
                KeyValue<Bytes, byte[]> entry = Objects.requireNonNull(source.entry);
                if (!visitor.test(entry)) {
                    return ListCursor.of(entry.key);
                }
                source.goOn();
            }
            return null;
        }

        private @Nullable Source first() {
            Source first = null;
            for (Source source : all) {
                if (source.entry != null && (first == null || source.isBefore(first))) {
                    first = source;
                }
            }
            return first;
        }

        @Override
        public void close() {
            all.forEach(source -> source.entries.close());
        }
    }

    /** One range, read up to its end. */
    private static final class Source {

        private final KeyValueIterator<Bytes, byte[]> entries;
        private @Nullable KeyValue<Bytes, byte[]> entry;

        Source(KeyValueIterator<Bytes, byte[]> entries) {
            this.entries = entries;
            goOn();
        }

        void goOn() {
            entry = entries.hasNext() ? entries.next() : null;
        }

        /**
         * Returns true if this source comes first. Positions compare like key bytes; only the range precedes them in a
         * key.
         */
        boolean isBefore(Source other) {
            byte[] own = Objects.requireNonNull(entry).key.get();
            byte[] others = Objects.requireNonNull(other.entry).key.get();
            return Arrays.compareUnsigned(own, 1, own.length, others, 1, others.length) < 0;
        }
    }
}
