package dev.ebb.serde.mirror;

import java.util.Arrays;

/**
 * A growing array of values, each with a number before it: 0 for none, else its length and one, in groups of seven bits
 * from the lowest on, the eighth bit set in all but the last. Not thread-safe.
 */
final class CompactBytes {

    private static final int EXPECTED_BYTES = 1024;
    private static final int MAX_LENGTH_BYTES = 5;
    private static final int GROUP_BITS = 7;
    private static final int MORE = 0x80;

    private byte[] bytes = new byte[EXPECTED_BYTES];
    private int length;

    CompactBytes clear() {
        length = 0;
        return this;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    int length() {
        return length;
    }

    /** The place behind the value that begins there, with what stands before it. */
    static int end(byte[] values, int begin) {
        int at = begin;
        int size = 0;
        for (int shift = 0; ; shift += GROUP_BITS) {
            byte group = values[at++];
            size |= (group & (MORE - 1)) << shift;
            if (group >= 0) {
                return at + Math.max(0, size - 1);
            }
        }
    }

    void put(byte value) {
        ensure(1);
        bytes[length++] = value;
    }

    /** No value. */
    void none() {
        begin(-1);
    }

    CompactBytes text(String text) {
        begin(SqlText.length(text));
        length = SqlText.write(text, bytes, length);
        return this;
    }

    /** As few bytes as hold it as a signed number, the highest first; 0 has none. */
    void number(long value) {
        int count = value == 0 ? 0 : Long.BYTES - (Long.numberOfLeadingZeros(value ^ (value >> 63)) - 1) / Byte.SIZE;
        begin(count);
        for (int i = count - 1; i >= 0; i--) {
            bytes[length++] = (byte) (value >> (Byte.SIZE * i));
        }
    }

    void bytes(CompactBytes value) {
        bytes(value.bytes, 0, value.length);
    }

    void bytes(byte[] value, int from, int count) {
        begin(count);
        raw(value, from, count);
    }

    /** Bytes as they are, such as a value with what stands before it. */
    void raw(byte[] from, int begin, int count) {
        ensure(count);
        System.arraycopy(from, begin, bytes, length, count);
        length += count;
    }

    /** Writes what stands before a value of that length, and makes room for the value. */
    private void begin(int count) {
        ensure(MAX_LENGTH_BYTES + Math.max(count, 0));
        int rest = count + 1;
        while (rest >= MORE) {
            bytes[length++] = (byte) (rest | MORE);
            rest >>>= GROUP_BITS;
        }
        bytes[length++] = (byte) rest;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
