package dev.ebb.sink;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the values of a record of the log: numbers with the highest byte first, and sizes in groups of seven bits with
 * the lowest first. Not thread-safe.
 */
final class LogBytes {

    private static final int GROUP_BITS = 7;
    private static final int MORE = 0x80;

    /** Written in place of U+0000, which no text of PostgreSQL can hold. */
    private static final byte[] REPLACEMENT = "\uFFFD".getBytes(StandardCharsets.UTF_8);

    private final byte[] bytes;
    private int at;

    LogBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    void skip(int count) {
        at += count;
    }

    int readByte() throws BadRowException {
        if (at < 0 || at >= bytes.length) {
            throw new BadRowException("it ends too early");
        }
        return bytes[at++] & 0xFF;
    }

    long readLong() throws BadRowException {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << Byte.SIZE | readByte();
        }
        return value;
    }

    long readSize() throws BadRowException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += GROUP_BITS) {
            int next = readByte();
            value |= (long) (next & (MORE - 1)) << shift;
            if (next < MORE) {
                return value;
            }
        }
        throw new BadRowException("its bytes are no values");
    }

    /** Returns the size of the next value, which begins at {@link #at}. */
    private int begin() throws BadRowException {
        long size = readSize();
        if (size < 0 || size > bytes.length - at) {
            throw new BadRowException("its bytes are no values");
        }
        return (int) size;
    }

    byte[] readBytes() throws BadRowException {
        int size = begin();
        at += size;
        return Arrays.copyOfRange(bytes, at - size, at);
    }

    void skipBytes() throws BadRowException {
        int size = begin();
        at += size;
    }

    /** Appends the next value with its length before it. */
    void writeBytes(CopyBuffer out) throws BadRowException {
        int size = begin();
        out.putInt(size).put(bytes, at, size);
        at += size;
    }

    /** Appends the next value, a text, with its length before it. */
    void writeText(CopyBuffer out) throws BadRowException {
        int size = begin();
        int begin = out.putInt(0).length();
        writeText(bytes, at, at + size, out);
        out.setLengthBefore(begin);
        at += size;
    }

    static void writeText(byte[] text, int from, int to, CopyBuffer out) {
        int begin = from;
        for (int i = from; i < to; i++) {
            if (text[i] == 0) {
                out.put(text, begin, i - begin).put(REPLACEMENT);
                begin = i + 1;
            }
        }
        out.put(text, begin, to - begin);
    }

    /** Appends the next value, a text, as a text of JSON. */
    void writeQuoted(CopyBuffer out) throws BadRowException {
        int size = begin();
        out.putByte('"');
        for (int end = at + size; at < end; at++) {
            byte b = bytes[at];
            if (b == 0) {
                out.put(REPLACEMENT);
            } else if (b > 0 && b < ' ') {
                out.put(new byte[] {'\\', 'u', '0', '0', (byte) ('0' + (b >> 4)), hex(b & 0xF)});
            } else if (b == '"' || b == '\\') {
                out.putByte('\\').putByte(b);
            } else {
                out.putByte(b);
            }
        }
        out.putByte('"');
    }

    private static byte hex(int digit) {
        return (byte) Character.forDigit(digit, 16);
    }
}
