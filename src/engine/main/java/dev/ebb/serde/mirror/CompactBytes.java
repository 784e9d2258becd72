package dev.ebb.serde.mirror;

import java.util.Arrays;

/**
 * A growing array of values, each preceded by a number: 0 for no value, else the length of the value plus one, in
 * groups of seven bits, the lowest first, with the eighth bit set in all groups but the last. Not thread-safe.
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

    /** Returns the position after the value whose preceding number begins at the given position. */
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

    /** Writes no value. */
    void none() {
        begin(-1);
    }

    CompactBytes text(String text) {
        begin(SqlText.length(text));
        length = SqlText.write(text, bytes, length);
        return this;
    }

    /** Writes a signed number in as few bytes as possible, the highest first; 0 takes no byte. */
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

    /** Writes bytes as they are, such as a value with its preceding number. */
    void raw(byte[] from, int begin, int count) {
        ensure(count);
        System.arraycopy(from, begin, bytes, length, count);
        length += count;
    }

    /** Writes the number that precedes a value of the given length, and makes room for the value. */
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
