package dev.ebb.store.forecast;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads all events of a stream that are not protected, in batches and in the order of their keys. The stream may change
 * between two batches. Not thread-safe.
 */
final class EventWalk {

    private static final int BATCH = 64;

    /** The size in bytes at which a batch ends, however few events it has. */
    private static final int BATCH_BYTES = 1 << 20;

    private final KeyValueStore<Bytes, byte[]> events;
    private final StreamState stream;
    private final Deque<Range> ranges = new ArrayDeque<>(List.of(Range.ORDERED, Range.TIMED, Range.INFINITE));
    private final long lastExecution;
    private @Nullable Bytes cursor;

    EventWalk(KeyValueStore<Bytes, byte[]> events, StreamState stream) {
        this(events, stream, Long.MAX_VALUE);
    }

    /** Creates a walk through the executions up to {@code lastExecution}, inclusive. */
    EventWalk(KeyValueStore<Bytes, byte[]> events, StreamState stream, long lastExecution) {
        this.events = events;
        this.stream = stream;
        this.lastExecution = lastExecution;
    }

    /** Returns true if everything has been read. */
    boolean isDone() {
        return ranges.isEmpty();
    }

    /** Returns the next events; may be empty before the end. */
    List<KeyValue<Bytes, byte[]>> nextBatch() {
        List<KeyValue<Bytes, byte[]>> batch = new ArrayList<>();
        Range range = ranges.peek();
        if (range == null) {
            return batch;
        }
        Bytes from = cursor == null ? start(range) : cursor;
        boolean hasMore = from != null && read(range, from, batch);
        if (hasMore) {
            byte[] last = batch.get(batch.size() - 1).key.get();
            cursor = Bytes.wrap(Arrays.copyOf(last, last.length + 1));
        } else {
            ranges.remove();
            cursor = null;
        }
        return batch;
    }

    /** Reads the next events of the range; returns false at its end. */
    private boolean read(Range range, Bytes from, List<KeyValue<Bytes, byte[]>> batch) {
        long bytes = 0;
        try (var entries = events.range(from, end(range))) {
            while (batch.size() < BATCH && bytes < BATCH_BYTES) {
                if (!entries.hasNext()) {
                    return false;
                }
                KeyValue<Bytes, byte[]> entry = entries.next();
                batch.add(entry);
                bytes += entry.value.length;
            }
        }
        return true;
    }

    private Bytes end(Range range) {
        return lastExecution == Long.MAX_VALUE
                ? EventKeys.end(range, stream.sid())
                : EventKeys.positional(
                        range, stream.sid(), new Position(lastExecution, Long.MAX_VALUE, Long.MAX_VALUE));
    }

    /** Returns the first key that may be live; null if the range is empty. */
    private @Nullable Bytes start(Range range) {
        for (Segment segment : stream.segments()) {
            if (segment.number() > lastExecution) {
                return null;
            }
            if (segment.count(range) > 0) {
                return segment.startOf(range);
            }
        }
        return null;
    }
}
