package dev.ebb.bench.opponents;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Gives events their places in the index anew when the limit has changed: each must be read for that. Begins anew when the
 * limit changes meanwhile. Not thread-safe.
 */
final class Reindexing {

    private final KeyValueStore<Bytes, byte[]> events;
    private final ExpiryIndex index;
    private long maxAgeMs;
    private boolean isDone = true;
    private @Nullable Bytes next;

    /** @param maxAgeMs the limit by which the index is ordered */
    Reindexing(KeyValueStore<Bytes, byte[]> events, ExpiryIndex index, long maxAgeMs) {
        this.events = events;
        this.index = index;
        this.maxAgeMs = maxAgeMs;
    }

    /** Begins if the limit is another one than before. */
    void follow(long newMaxAgeMs) {
        if (newMaxAgeMs != maxAgeMs) {
            maxAgeMs = newMaxAgeMs;
            isDone = false;
            next = null;
        }
    }

    /** Goes on until that moment; returns whether all events have their places. */
    boolean slice(long endNanos, Expiries expiries) {
        if (isDone) {
            return true;
        }
        try (KeyValueIterator<Bytes, byte[]> rest = next == null ? events.all() : events.range(next, null)) {
            while (rest.hasNext() && System.nanoTime() < endNanos) {
                KeyValue<Bytes, byte[]> entry = rest.next();
                next = entry.key;
                move(entry.key, entry.value);
                expiries.read();
            }
            isDone = !rest.hasNext();
        }
        return isDone;
    }

    private void move(Bytes key, byte[] value) {
        IndexedEvent before = IndexedEvent.read(value);
        if (before == null) {
            return;
        }
        IndexedEvent after = before.under(maxAgeMs);
        if (after.dueMs() != before.dueMs()) {
            index.replace(key, before, after);
            events.put(key, after.write());
        }
    }
}
