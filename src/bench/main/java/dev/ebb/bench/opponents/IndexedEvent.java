package dev.ebb.bench.opponents;

import dev.ebb.domain.event.Event;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * An event in its store: what is needed to find its entry in the index again and to make it due at another time, and the
 * record as it came.
 *
 * <pre>
 *  storedAt | anchor | own TTL | dueAt | record
 * </pre>
 *
 * @param storedAtMs time at which it was stored first, part of the key of its row
 * @param anchorMs time from which its age counts
 * @param ttlMs its own TTL, or {@link #BY_POLICY}, or {@link #PROTECTED}
 * @param dueMs time from which it may go, or {@link #NEVER}
 * @param value the record
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record IndexedEvent(long storedAtMs, long anchorMs, long ttlMs, long dueMs, byte[] value) {

    static final long NEVER = Long.MAX_VALUE;

    private static final long BY_POLICY = -1;
    private static final long PROTECTED = -2;
    private static final int HEADER = 4 * Long.BYTES;
    private static final long MS = 1000;

    /** A new event that goes when it is older than the limit, unless it has a TTL of its own or is protected. */
    static IndexedEvent of(Event event, byte[] value, long timestampMs, long storedAtMs, long maxAgeMs) {
        Long occurredAt = event.occurredAt();
        long anchorMs = occurredAt == null ? timestampMs : occurredAt;
        return new IndexedEvent(storedAtMs, anchorMs, ttlMs(event), NEVER, value).under(maxAgeMs);
    }

    static @Nullable IndexedEvent read(byte @Nullable [] stored) {
        if (stored == null) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(stored);
        IndexedEvent event = new IndexedEvent(
                buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong(), new byte[buffer.remaining()]);
        buffer.get(event.value);
        return event;
    }

    byte[] write() {
        return ByteBuffer.allocate(HEADER + value.length)
                .putLong(storedAtMs)
                .putLong(anchorMs)
                .putLong(ttlMs)
                .putLong(dueMs)
                .put(value)
                .array();
    }

    /** The same event with another limit. */
    IndexedEvent under(long maxAgeMs) {
        return new IndexedEvent(storedAtMs, anchorMs, ttlMs, dueMs(maxAgeMs), value);
    }

    boolean isIndexed() {
        return dueMs != NEVER;
    }

    /** The key of its entry in the index: {@code dueAt | stream | id}. */
    Bytes indexKey(Bytes key) {
        return indexKey(dueMs, key.get());
    }

    static Bytes indexKey(long dueMs, byte[] key) {
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES + key.length)
                .putLong(dueMs)
                .put(key)
                .array());
    }

    /** The key of the event of an entry. */
    static Bytes eventKey(Bytes indexKey) {
        byte[] bytes = indexKey.get();
        byte[] key = new byte[bytes.length - Long.BYTES];
        System.arraycopy(bytes, Long.BYTES, key, 0, key.length);
        return Bytes.wrap(key);
    }

    /** It goes when it is older than its limit, so from a millisecond later on. */
    private long dueMs(long maxAgeMs) {
        long limitMs = ttlMs == BY_POLICY ? maxAgeMs : ttlMs;
        return ttlMs == PROTECTED || limitMs == NEVER ? NEVER : anchorMs + limitMs + 1;
    }

    private static long ttlMs(Event event) {
        Long ttlSeconds = event.ttl().ttlSeconds();
        if (EventRows.isProtected(event)) {
            return PROTECTED;
        }
        return ttlSeconds == null ? BY_POLICY : ttlSeconds * MS;
    }
}
