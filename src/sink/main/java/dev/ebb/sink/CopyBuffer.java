package dev.ebb.sink;

import java.util.Arrays;

/** A growing array of bytes in network order, the form of PostgreSQL's COPY. Not thread-safe. */
final class CopyBuffer {

    private static final int EXPECTED_BYTES = 64 * 1024;
    private static final int NULL_VALUE = -1;

    private byte[] bytes = new byte[EXPECTED_BYTES];
    private int length;

    int length() {
        return length;
    }

    /** Returns the bytes, of which the first {@link #length()} count; valid until the next change. */
    byte[] array() {
        return bytes;
    }

    /** Cuts off everything after this length. */
    void truncate(int newLength) {
        length = newLength;
    }

    CopyBuffer putByte(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
        return this;
    }

    CopyBuffer putShort(int value) {
        return putByte(value >> 8).putByte(value);
    }

    CopyBuffer putInt(int value) {
        return putShort(value >> 16).putShort(value);
    }

    CopyBuffer putLong(long value) {
        return putInt((int) (value >> 32)).putInt((int) value);
    }

    CopyBuffer put(byte[] value) {
        return put(value, 0, value.length);
    }

    CopyBuffer put(byte[] from, int begin, int count) {
        ensure(count);
        System.arraycopy(from, begin, bytes, length, count);
        length += count;
        return this;
    }

    /** Appends a value with its length before it. */
    CopyBuffer sized(byte[] value) {
        return putInt(value.length).put(value);
    }

    /** Overwrites the four bytes before that position with the number of bytes after it. */
    void setLengthBefore(int begin) {
        int end = length;
        length = begin - Integer.BYTES;
        putInt(end - begin);
        length = end;
    }

    CopyBuffer putNull() {
        return putInt(NULL_VALUE);
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
