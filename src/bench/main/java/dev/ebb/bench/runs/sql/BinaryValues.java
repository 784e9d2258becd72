package dev.ebb.bench.runs.sql;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Values in the binary form of PostgreSQL, each with its length before it: the rows of a {@code COPY} or the elements
 * of an array. Not thread-safe.
 */
final class BinaryValues {

    private static final int NULL = -1;
    private static final int JSONB_FORMAT = 1;

    /** PostgreSQL counts microseconds from the year 2000 on. */
    private static final long EPOCH_MS = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();

    private ByteBuffer bytes;

    /** @param expectedBytes the initial size of the buffer, which grows if necessary */
    BinaryValues(int expectedBytes) {
        bytes = ByteBuffer.allocate(expectedBytes);
    }

    /** Returns all bytes that have been appended so far. */
    byte[] toBytes() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /** Appends bytes without a length. */
    BinaryValues raw(byte[] value) {
        room(value.length).put(value);
        return this;
    }

    BinaryValues rawInt(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    BinaryValues rawShort(int value) {
        room(Short.BYTES).putShort((short) value);
        return this;
    }

    BinaryValues bytes(byte[] value) {
        room(Integer.BYTES + value.length).putInt(value.length).put(value);
        return this;
    }

    /** Appends a text; null appends a null. */
    BinaryValues text(@Nullable String value) {
        return value == null ? rawInt(NULL) : bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    BinaryValues number(long value) {
        room(Integer.BYTES + Long.BYTES).putInt(Long.BYTES).putLong(value);
        return this;
    }

    BinaryValues truth(boolean value) {
        room(Integer.BYTES + 1).putInt(1).put((byte) (value ? 1 : 0));
        return this;
    }

    /** Appends a time in epoch milliseconds; null appends a null. */
    BinaryValues time(@Nullable Long timeMs) {
        return timeMs == null ? rawInt(NULL) : number(TimeUnit.MILLISECONDS.toMicros(timeMs - EPOCH_MS));
    }

    BinaryValues json(String value) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        room(Integer.BYTES + 1 + text.length)
                .putInt(1 + text.length)
                .put((byte) JSONB_FORMAT)
                .put(text);
        return this;
    }

    private ByteBuffer room(int more) {
        if (bytes.remaining() < more) {
            int needed = bytes.position() + more;
            bytes = ByteBuffer.allocate(Math.max(2 * bytes.capacity(), needed)).put(bytes.flip());
        }
        return bytes;
    }
}
