package dev.ebb.bench.opponents;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Events by time, in two orders: {@code order | time | stream | id -> storedAt}. Remembers the first entry of each
 * order: entries before it have been deleted, and the store would look at each of their tombstones again. If the first
 * entry is not due, nothing is read. Not thread-safe.
 */
final class ExpiryIndex {

    private final KeyValueStore<Bytes, byte[]> store;

    /** For each order, a key before which there are no entries. */
    private final Bytes[] heads = {at(IndexedEvent.BY_ANCHOR, 0), at(IndexedEvent.BY_END, 0)};

    ExpiryIndex(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    private static Bytes at(byte order, long timeMs) {
        return IndexedEvent.indexKey(order, timeMs, new byte[0]);
    }

    /** Takes due events. */
    @FunctionalInterface
    interface Due {

        void expire(Bytes key, long storedAtMs);
    }

    /** Puts the event in its place, and removes the event that it replaces. */
    void replace(Bytes key, @Nullable IndexedEvent before, IndexedEvent after) {
        Bytes former = before == null ? null : before.indexKey(key);
        Bytes entry = after.indexKey(key);
        if (former != null && !former.equals(entry)) {
            store.delete(former);
        }
        if (entry != null && !entry.equals(former)) {
            store.put(
                    entry,
                    ByteBuffer.allocate(Long.BYTES).putLong(after.storedAtMs()).array());
            byte order = IndexedEvent.order(entry);
            heads[order] = entry.compareTo(heads[order]) < 0 ? entry : heads[order];
        }
    }

    /**
     * Removes the events before that time from an order.
     *
     * @param untilMs the time, exclusive, in epoch milliseconds; nothing is before 1970
     * @param endNanos when to leave the rest for another time, by the nano clock
     * @return true if nothing is left
     */
    boolean expire(byte order, long untilMs, long endNanos, Due due) {
        Bytes until = at(order, Math.max(0, untilMs));
        Bytes end = at(order, Long.MAX_VALUE);
        if (heads[order].compareTo(until) >= 0) {
            return true;
        }
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(heads[order], end)) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                heads[order] = entry.key;
                if (entry.key.compareTo(until) >= 0) {
                    return true;
                }
                if (System.nanoTime() >= endNanos) {
                    return false;
                }
                store.delete(entry.key);
                due.expire(
                        IndexedEvent.eventKey(entry.key),
                        ByteBuffer.wrap(entry.value).getLong());
            }
            heads[order] = end;
            return true;
        }
    }
}
