package dev.ebb.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * The keys of the events store. Numbers are big-endian and never negative, so bytes sort like numbers; an execution is a
 * length byte and that many bytes, so that the implicit execution 0 takes one byte only. The stream number alone is the
 * key of a small live record in each range, which stops an iterator before it walks into the next stream's tombstones.
 */
final class EventKeys {

    private static final int RANGE_AND_SID = 1 + Integer.BYTES;

    private EventKeys() {}

    /** The key before all keys of the stream in that range. */
    static Bytes start(Range range, int sid) {
        return Bytes.wrap(
                ByteBuffer.allocate(RANGE_AND_SID).put(range.code()).putInt(sid).array());
    }

    /** The key right behind the stream's sentinel in that range: before all its events. */
    static Bytes behindSentinel(Range range, int sid) {
        return Bytes.wrap(Arrays.copyOf(start(range, sid).get(), RANGE_AND_SID + 1));
    }

    /** The key behind all keys of the stream in that range. */
    static Bytes end(Range range, int sid) {
        return start(range, sid + 1);
    }

    static Bytes positional(Range range, int sid, Position position) {
        int executionBytes = bytesOf(position.execution());
        ByteBuffer key = ByteBuffer.allocate(RANGE_AND_SID + 1 + executionBytes + 2 * Long.BYTES);
        key.put(range.code()).putInt(sid);
        putPosition(key, executionBytes, position);
        return Bytes.wrap(key.array());
    }

    static Bytes due(int sid, long dueMs, Position position) {
        int executionBytes = bytesOf(position.execution());
        ByteBuffer key = ByteBuffer.allocate(RANGE_AND_SID + Long.BYTES + 1 + executionBytes + 2 * Long.BYTES);
        key.put(Range.DUE.code()).putInt(sid).putLong(dueMs);
        putPosition(key, executionBytes, position);
        return Bytes.wrap(key.array());
    }

    /** The key before all deadlines of the stream from that time on. */
    static Bytes dueFrom(int sid, long dueMs) {
        return Bytes.wrap(ByteBuffer.allocate(RANGE_AND_SID + Long.BYTES)
                .put(Range.DUE.code())
                .putInt(sid)
                .putLong(dueMs)
                .array());
    }

    static Bytes byId(Range range, int sid, String id) {
        byte[] text = id.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(RANGE_AND_SID + text.length)
                .put(range.code())
                .putInt(sid)
                .put(text)
                .array());
    }

    static Bytes parked(long arrival) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES)
                .put(Range.PARKED.code())
                .putLong(arrival)
                .array());
    }

    /** Whether the key is a stream's small live record and no event. */
    static boolean isSentinel(Bytes key) {
        return key.get().length == RANGE_AND_SID;
    }

    /** The id in a key that ends with one. */
    static String idOf(Bytes key) {
        byte[] bytes = key.get();
        return new String(bytes, RANGE_AND_SID, bytes.length - RANGE_AND_SID, StandardCharsets.UTF_8);
    }

    /** The position in a key of a positional range. */
    static Position positionOf(Bytes key) {
        return positionFrom(ByteBuffer.wrap(key.get()).position(RANGE_AND_SID));
    }

    /** The time in a key of the due range. */
    static long dueOf(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(RANGE_AND_SID);
    }

    /** The position in a key of the due range. */
    static Position positionOfDue(Bytes key) {
        return positionFrom(ByteBuffer.wrap(key.get()).position(RANGE_AND_SID + Long.BYTES));
    }

    private static Position positionFrom(ByteBuffer key) {
        int executionBytes = key.get();
        long execution = 0;
        for (int i = 0; i < executionBytes; i++) {
            execution = (execution << Byte.SIZE) | (key.get() & 0xFF);
        }
        return new Position(execution, key.getLong(), key.getLong());
    }

    private static void putPosition(ByteBuffer key, int executionBytes, Position position) {
        key.put((byte) executionBytes);
        for (int shift = (executionBytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            key.put((byte) (position.execution() >>> shift));
        }
        key.putLong(position.anchorMs()).putLong(position.seq());
    }

    private static int bytesOf(long number) {
        return (Long.SIZE - Long.numberOfLeadingZeros(number) + Byte.SIZE - 1) / Byte.SIZE;
    }
}
