package dev.ebb.store.state;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** Reads the records of several ranges in one order: by key, without the range. Not thread-safe. */
final class RangeMerge implements AutoCloseable {

    private final List<Source> sources = new ArrayList<>();

    /** A record read from the store. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Entry(Range range, Bytes key, byte[] value) {

        boolean isBefore(Entry other) {
            return Arrays.compareUnsigned(EventKeys.withoutRange(key), EventKeys.withoutRange(other.key)) < 0;
        }
    }

    /**
     * Adds a range.
     *
     * @param most the most records that the range can hold; no more are read
     */
    void add(Range range, KeyValueIterator<Bytes, byte[]> entries, long most) {
        sources.add(new Source(range, entries, most));
    }

    /**
     * Takes the next records.
     *
     * @param most the most records
     * @param mostBytes the size in bytes from which on no further record is taken; the last record may exceed it
     */
    List<Entry> take(int most, int mostBytes) {
        List<Entry> batch = new ArrayList<>();
        int bytes = 0;
        Entry next = next();
        while (next != null) {
            batch.add(next);
            bytes += next.value().length;
            next = batch.size() < most && bytes < mostBytes ? next() : null;
        }
        return batch;
    }

    private @Nullable Entry next() {
        Source first = null;
        for (Source source : sources) {
            Entry entry = source.peek();
            if (entry != null && (first == null || entry.isBefore(Objects.requireNonNull(first.peek())))) {
                first = source;
            }
        }
        return first == null ? null : first.take();
    }

    @Override
    public void close() {
        sources.forEach(source -> source.entries.close());
    }

    /** One of the ranges. */
    private static final class Source {

        private final Range range;
        private final KeyValueIterator<Bytes, byte[]> entries;
        private long left;
        private @Nullable Entry next;

        Source(Range range, KeyValueIterator<Bytes, byte[]> entries, long left) {
            this.range = range;
            this.entries = entries;
            this.left = left;
        }

        @Nullable
        Entry peek() {
            if (next == null && left > 0 && entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                next = new Entry(range, entry.key, entry.value);
            }
            return next;
        }

        Entry take() {
            Entry taken = Objects.requireNonNull(peek());
            next = null;
            left--;
            return taken;
        }
    }
}
