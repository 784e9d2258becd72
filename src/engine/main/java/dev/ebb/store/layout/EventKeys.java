package dev.ebb.store.layout;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * The keys of the events store. Numbers are big-endian and never negative, so bytes sort like numbers; an execution is a
 * length byte and that many bytes, so that the implicit execution 0 takes one byte only.
 */
public final class EventKeys {

    private static final int RANGE_AND_SID = 1 + Integer.BYTES;

    /** A byte above the length of an execution, above the first byte of a time, and in no text of UTF-8. */
    private static final byte LAST = (byte) 0xFF;

    private EventKeys() {}

    /** The key before all keys of the stream in that range. */
    public static Bytes start(Range range, int sid) {
        return Bytes.wrap(
                ByteBuffer.allocate(RANGE_AND_SID).put(range.code()).putInt(sid).array());
    }

    /** The key behind all keys of the stream in that range. */
    public static Bytes end(Range range, int sid) {
        return Bytes.wrap(ByteBuffer.allocate(RANGE_AND_SID + 1)
                .put(range.code())
                .putInt(sid)
                .put(LAST)
                .array());
    }

    public static Bytes positional(Range range, int sid, Position position) {
        int executionBytes = bytesOf(position.execution());
        ByteBuffer key = ByteBuffer.allocate(RANGE_AND_SID + 1 + executionBytes + 2 * Long.BYTES);
        key.put(range.code()).putInt(sid);
        putExecution(key, executionBytes, position.execution());
        key.putLong(position.anchorMs()).putLong(position.seq());
        return Bytes.wrap(key.array());
    }

    public static Bytes due(int sid, long dueMs, Position position) {
        int executionBytes = bytesOf(position.execution());
        ByteBuffer key = ByteBuffer.allocate(RANGE_AND_SID + 1 + executionBytes + 3 * Long.BYTES);
        key.put(Range.DUE.code()).putInt(sid);
        putExecution(key, executionBytes, position.execution());
        key.putLong(dueMs).putLong(position.anchorMs()).putLong(position.seq());
        return Bytes.wrap(key.array());
    }

    /** The key before all deadlines of the execution from that time on. */
    public static Bytes dueFrom(int sid, long execution, long dueMs) {
        int executionBytes = bytesOf(execution);
        ByteBuffer key = ByteBuffer.allocate(RANGE_AND_SID + 1 + executionBytes + Long.BYTES);
        key.put(Range.DUE.code()).putInt(sid);
        putExecution(key, executionBytes, execution);
        return Bytes.wrap(key.putLong(dueMs).array());
    }

    /** The key of a pinned event by the time since which it is protected. */
    public static Bytes waiting(long sinceMs, int sid, String id) {
        return waiting(sinceMs, sid, id.getBytes(StandardCharsets.UTF_8));
    }

    static Bytes waiting(long sinceMs, int sid, byte[] text) {
        return Bytes.wrap(ByteBuffer.allocate(RANGE_AND_SID + Long.BYTES + text.length)
                .put(Range.WAITING.code())
                .putLong(sinceMs)
                .putInt(sid)
                .put(text)
                .array());
    }

    /** The key before all pinned events that are protected since that time or a later one. */
    public static Bytes waitingFrom(long sinceMs) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES)
                .put(Range.WAITING.code())
                .putLong(sinceMs)
                .array());
    }

    /** The time in a key of the waiting range. */
    public static long sinceOfWaiting(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(1);
    }

    /** The number of the stream in a key of the waiting range. */
    public static int sidOfWaiting(Bytes key) {
        return ByteBuffer.wrap(key.get()).getInt(1 + Long.BYTES);
    }

    public static Bytes byId(Range range, int sid, String id) {
        return byId(range, sid, id.getBytes(StandardCharsets.UTF_8));
    }

    static Bytes byId(Range range, int sid, byte[] text) {
        return Bytes.wrap(ByteBuffer.allocate(RANGE_AND_SID + text.length)
                .put(range.code())
                .putInt(sid)
                .put(text)
                .array());
    }

    /** The key of a record that waits: the number of its stream among those that wait, and its own number there. */
    public static Bytes parked(long stream, long record) {
        return Bytes.wrap(ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(Range.PARKED.code())
                .putLong(stream)
                .putLong(record)
                .array());
    }

    /** The key that a waiting record had in format 1. */
    public static Bytes formerParked(long arrival) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES)
                .put(Range.PARKED.code())
                .putLong(arrival)
                .array());
    }

    /** The number of the stream in a key that begins with range and stream. */
    public static int sidOf(byte[] key) {
        return ByteBuffer.wrap(key).getInt(1);
    }

    /** The id in a key that ends with one. */
    public static String idOf(Bytes key) {
        byte[] bytes = key.get();
        return new String(bytes, RANGE_AND_SID, bytes.length - RANGE_AND_SID, StandardCharsets.UTF_8);
    }

    /** The position in a key of a positional range. */
    public static Position positionOf(Bytes key) {
        return positionFrom(ByteBuffer.wrap(key.get()).position(RANGE_AND_SID));
    }

    /** The time in a key of the due range. */
    public static long dueOf(Bytes key) {
        ByteBuffer bytes = ByteBuffer.wrap(key.get()).position(RANGE_AND_SID);
        executionFrom(bytes);
        return bytes.getLong();
    }

    /** The execution in a key of the due range or of a positional one. */
    public static long executionOf(Bytes key) {
        return executionFrom(ByteBuffer.wrap(key.get()).position(RANGE_AND_SID));
    }

    /** The position in a key of the due range. */
    public static Position positionOfDue(Bytes key) {
        ByteBuffer bytes = ByteBuffer.wrap(key.get()).position(RANGE_AND_SID);
        long execution = executionFrom(bytes);
        bytes.getLong();
        return new Position(execution, bytes.getLong(), bytes.getLong());
    }

    private static Position positionFrom(ByteBuffer key) {
        return new Position(executionFrom(key), key.getLong(), key.getLong());
    }

    private static long executionFrom(ByteBuffer key) {
        int executionBytes = key.get();
        long execution = 0;
        for (int i = 0; i < executionBytes; i++) {
            execution = (execution << Byte.SIZE) | (key.get() & 0xFF);
        }
        return execution;
    }

    private static void putExecution(ByteBuffer key, int executionBytes, long execution) {
        key.put((byte) executionBytes);
        for (int shift = (executionBytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            key.put((byte) (execution >>> shift));
        }
    }

    private static int bytesOf(long number) {
        return (Long.SIZE - Long.numberOfLeadingZeros(number) + Byte.SIZE - 1) / Byte.SIZE;
    }

    /** The rest of the key, behind its range: in it keys of several ranges can be compared. */
    public static byte[] withoutRange(Bytes key) {
        return Arrays.copyOfRange(key.get(), 1, key.get().length);
    }

    /** The key of that range with that rest. */
    public static Bytes withRange(Range range, byte[] rest) {
        byte[] whole = new byte[rest.length + 1];
        whole[0] = range.code();
        System.arraycopy(rest, 0, whole, 1, rest.length);
        return Bytes.wrap(whole);
    }
}
