package dev.ebb.bench.opponents;

import dev.ebb.domain.event.Event;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * An event in its store: the fields that find its entry in the index again, and the original record.
 *
 * <pre>
 *  storedAt | order | time | record
 * </pre>
 *
 * @param storedAtMs the time at which it was first stored, part of the key of its row
 * @param order {@link #BY_ANCHOR}, {@link #BY_END} or {@link #PROTECTED}
 * @param timeMs the place in that order: the time from which its age counts, or the last moment of its own TTL
 * @param value the record
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record IndexedEvent(long storedAtMs, byte order, long timeMs, byte[] value) {

    /** Events that go by the limit, which is not part of the index, so that another limit moves no entry. */
    static final byte BY_ANCHOR = 0;

    /** Events with an own TTL. */
    static final byte BY_END = 1;

    /** Events in no order, since they do not go. */
    private static final byte PROTECTED = 2;

    private static final int HEADER = 2 * Long.BYTES + 1;
    private static final int INDEX_HEADER = 1 + Long.BYTES;
    private static final long MS = 1000;

    /** Returns a new event that goes when it is older than the limit, unless it has an own TTL or is protected. */
    static IndexedEvent of(Event event, byte[] value, long timestampMs, long storedAtMs) {
        Long occurredAt = event.occurredAt();
        long anchorMs = occurredAt == null ? timestampMs : occurredAt;
        if (EventRows.isProtected(event)) {
            return new IndexedEvent(storedAtMs, PROTECTED, anchorMs, value);
        }
        Long ttlSeconds = event.ttl().ttlSeconds();
        return ttlSeconds == null
                ? new IndexedEvent(storedAtMs, BY_ANCHOR, anchorMs, value)
                : new IndexedEvent(storedAtMs, BY_END, anchorMs + ttlSeconds * MS, value);
    }

    static @Nullable IndexedEvent read(byte @Nullable [] stored) {
        if (stored == null) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(stored);
        IndexedEvent event =
                new IndexedEvent(buffer.getLong(), buffer.get(), buffer.getLong(), new byte[buffer.remaining()]);
        buffer.get(event.value);
        return event;
    }

    byte[] write() {
        return ByteBuffer.allocate(HEADER + value.length)
                .putLong(storedAtMs)
                .put(order)
                .putLong(timeMs)
                .put(value)
                .array();
    }

    /** Returns the key of its entry in the index, {@code order | time | stream | id}; null if it has none. */
    @Nullable
    Bytes indexKey(Bytes key) {
        return order == PROTECTED ? null : indexKey(order, timeMs, key.get());
    }

    static Bytes indexKey(byte order, long timeMs, byte[] key) {
        return Bytes.wrap(ByteBuffer.allocate(INDEX_HEADER + key.length)
                .put(order)
                .putLong(timeMs)
                .put(key)
                .array());
    }

    /** Returns the order of an entry. */
    static byte order(Bytes indexKey) {
        return indexKey.get()[0];
    }

    /** Returns the key of the event of an entry. */
    static Bytes eventKey(Bytes indexKey) {
        byte[] bytes = indexKey.get();
        byte[] key = new byte[bytes.length - INDEX_HEADER];
        System.arraycopy(bytes, INDEX_HEADER, key, 0, key.length);
        return Bytes.wrap(key);
    }
}
