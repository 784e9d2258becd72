package dev.ebb.bench.opponents;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What falls due when: {@code dueAt | stream | id -> storedAt}. It is read from its head, but not from behind the head: what
 * lies there has been deleted, and the store would look at each tombstone again. Not thread-safe.
 */
final class ExpiryIndex {

    private static final Bytes BEGIN = IndexedEvent.indexKey(0, new byte[0]);

    private final KeyValueStore<Bytes, byte[]> store;
    private Bytes head = BEGIN;

    ExpiryIndex(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** Hears of what is due. */
    @FunctionalInterface
    interface Due {

        void expire(Bytes key, long storedAtMs);
    }

    /** Puts the event in its place, and takes the one that it replaces out. */
    void replace(Bytes key, @Nullable IndexedEvent before, IndexedEvent after) {
        if (before != null && before.isIndexed() && before.dueMs() != after.dueMs()) {
            store.delete(before.indexKey(key));
        }
        if (after.isIndexed() && (before == null || before.dueMs() != after.dueMs())) {
            Bytes entry = after.indexKey(key);
            store.put(
                    entry,
                    ByteBuffer.allocate(Long.BYTES).putLong(after.storedAtMs()).array());
            head = entry.compareTo(head) < 0 ? entry : head;
        }
    }

    /** Takes out what is due until that moment; returns whether nothing is left. */
    boolean expire(long nowMs, long endNanos, Due due) {
        Bytes until = IndexedEvent.indexKey(nowMs + 1, new byte[0]);
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(head, until)) {
            while (entries.hasNext() && System.nanoTime() < endNanos) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                head = entry.key;
                store.delete(entry.key);
                due.expire(
                        IndexedEvent.eventKey(entry.key),
                        ByteBuffer.wrap(entry.value).getLong());
            }
            return !entries.hasNext();
        }
    }
}
