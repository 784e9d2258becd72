package dev.ebb.store;

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
 * Reads all events of a stream that are not protected, a few at once and in the order of their keys; between two batches
 * the stream may change. Not thread-safe.
 */
final class EventWalk {

    private static final int BATCH = 64;

    private final KeyValueStore<Bytes, byte[]> events;
    private final StreamState stream;
    private final Deque<Range> ranges = new ArrayDeque<>(List.of(Range.ORDERED, Range.TIMED, Range.INFINITE));
    private @Nullable Bytes cursor;

    EventWalk(KeyValueStore<Bytes, byte[]> events, StreamState stream) {
        this.events = events;
        this.stream = stream;
    }

    /** Whether everything has been read. */
    boolean isDone() {
        return ranges.isEmpty();
    }

    /** The next events; may be empty before the end. */
    List<KeyValue<Bytes, byte[]>> nextBatch() {
        List<KeyValue<Bytes, byte[]>> batch = new ArrayList<>();
        Range range = ranges.peek();
        if (range == null) {
            return batch;
        }
        Bytes from = cursor == null ? start(range) : cursor;
        if (from != null) {
            read(range, from, batch);
        }
        if (batch.size() < BATCH) {
            ranges.remove();
            cursor = null;
        } else {
            byte[] last = batch.get(BATCH - 1).key.get();
            cursor = Bytes.wrap(Arrays.copyOf(last, last.length + 1));
        }
        return batch;
    }

    private void read(Range range, Bytes from, List<KeyValue<Bytes, byte[]>> batch) {
        try (var entries = events.range(from, EventKeys.end(range, stream.sid))) {
            while (batch.size() < BATCH && entries.hasNext()) {
                batch.add(entries.next());
            }
        }
    }

    /** The first key that may be live; null if the range is empty. */
    private @Nullable Bytes start(Range range) {
        for (Segment segment : stream.segments()) {
            if (segment.count(range) > 0) {
                return ReadOnlyEventStore.startOf(stream, segment, range);
            }
        }
        return null;
    }
}
