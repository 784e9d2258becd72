package dev.ebb.store.layout;

import dev.ebb.domain.source.SourcePlace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * The keys of the events store. Numbers are big-endian and never negative, so bytes sort like numbers. An execution is
 * a length byte followed by that many bytes, so that the implicit execution 0 takes a single byte.
 */
public final class EventKeys {

    private static final int RANGE_AND_SID = 1 + Integer.BYTES;

    /** A byte above the length of an execution and the first byte of a time; no text in UTF-8 contains it. */
    private static final byte LAST = (byte) 0xFF;

    private EventKeys() {}

    /** Returns the key before all keys of the stream in the range. */
    public static Bytes start(Range range, int sid) {
        return Bytes.wrap(
                ByteBuffer.allocate(RANGE_AND_SID).put(range.code()).putInt(sid).array());
    }

    /** Returns the key after all keys of the stream in the range. */
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

    /** Returns the key before all deadlines of the execution at or after {@code dueMs}. */
    public static Bytes dueFrom(int sid, long execution, long dueMs) {
        int executionBytes = bytesOf(execution);
        ByteBuffer key = ByteBuffer.allocate(RANGE_AND_SID + 1 + executionBytes + Long.BYTES);
        key.put(Range.DUE.code()).putInt(sid);
        putExecution(key, executionBytes, execution);
        return Bytes.wrap(key.putLong(dueMs).array());
    }

    /**
     * Returns the key of a pinned event in the waiting range.
     *
     * @param sinceMs the time since which the event is protected, epoch milliseconds
     */
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

    /** Returns the key before all pinned events that have been protected since {@code sinceMs} or later. */
    public static Bytes waitingFrom(long sinceMs) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES)
                .put(Range.WAITING.code())
                .putLong(sinceMs)
                .array());
    }

    /** Returns the time in a key of the waiting range, epoch milliseconds. */
    public static long sinceOfWaiting(Bytes key) {
        return ByteBuffer.wrap(key.get()).getLong(1);
    }

    /** Returns the number of the stream in a key of the waiting range. */
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

    /**
     * Returns the key of a waiting record.
     *
     * @param stream the number of its stream among the waiting streams
     * @param record the number of the record in the stream
     */
    public static Bytes parked(long stream, long record) {
        return Bytes.wrap(ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(Range.PARKED.code())
                .putLong(stream)
                .putLong(record)
                .array());
    }

    /** Returns the key before all events of records of that partition at this offset or later. */
    public static Bytes sourcedFrom(String topicId, int partition, long offset) {
        return Bytes.wrap(sourced(topicId, partition, offset, 0).array());
    }

    static Bytes sourced(SourcePlace place, int sid, byte[] id) {
        return Bytes.wrap(sourced(place.topicId(), place.partition(), place.offset(), Integer.BYTES + id.length)
                .putInt(sid)
                .put(id)
                .array());
    }

    private static ByteBuffer sourced(String topicId, int partition, long offset, int moreBytes) {
        byte[] topic = topicId.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + topic.length + Integer.BYTES + Long.BYTES + moreBytes)
                .put(Range.SOURCED.code())
                .put(topic)
                .put((byte) 0)
                .putInt(partition)
                .putLong(offset);
    }

    /** Returns the rest of a key of a record of that topic behind the topic: partition, offset, stream and id. */
    public static ByteBuffer restOfSourced(Bytes key, String topicId) {
        return ByteBuffer.wrap(key.get()).position(2 + topicId.getBytes(StandardCharsets.UTF_8).length);
    }

    /** Returns the number of the stream in a key that begins with a range and a stream. */
    public static int sidOf(byte[] key) {
        return ByteBuffer.wrap(key).getInt(1);
    }

    /** Returns the id in a key that ends with an id. */
    public static String idOf(Bytes key) {
        byte[] bytes = key.get();
        return new String(bytes, RANGE_AND_SID, bytes.length - RANGE_AND_SID, StandardCharsets.UTF_8);
    }

    /** Returns the position in a key of a positional range. */
    public static Position positionOf(Bytes key) {
        return positionFrom(ByteBuffer.wrap(key.get()).position(RANGE_AND_SID));
    }

    /** Returns the time in a key of the due range, epoch milliseconds. */
    public static long dueOf(Bytes key) {
        ByteBuffer bytes = ByteBuffer.wrap(key.get()).position(RANGE_AND_SID);
        executionFrom(bytes);
        return bytes.getLong();
    }

    /** Returns the execution in a key of the due range or of a positional range. */
    public static long executionOf(Bytes key) {
        return executionFrom(ByteBuffer.wrap(key.get()).position(RANGE_AND_SID));
    }

    /** Returns the position in a key of the due range. */
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

    /** Returns the key without its range, so that keys of several ranges can be compared. */
    public static byte[] withoutRange(Bytes key) {
        return Arrays.copyOfRange(key.get(), 1, key.get().length);
    }

    /** Returns the key with this range and this rest. */
    public static Bytes withRange(Range range, byte[] rest) {
        byte[] whole = new byte[rest.length + 1];
        whole[0] = range.code();
        System.arraycopy(rest, 0, whole, 1, rest.length);
        return Bytes.wrap(whole);
    }
}
