package dev.ebb.sink;

import java.util.Arrays;

/**
 * Walks over the values of a key or a row in the compact form: a version byte, then each value after a number, which is
 * 0 for null and its length plus one otherwise, in groups of seven bits, the lowest first. Not thread-safe.
 */
final class CompactValues {

    private static final byte VERSION = 1;

    /** Versions are below this byte, the first bytes of texts are not. */
    private static final int LEAST_OF_TEXT = '\t';

    private static final int GROUP_BITS = 7;
    private static final int MORE = 0x80;

    private final byte[] bytes;
    private int begin;
    private int end;
    private boolean isNull;
    private final int limit;

    /** @throws BadRowException if the key or row has another version */
    CompactValues(byte[] part) throws BadRowException {
        this(part, VERSION);
    }

    /** @throws BadRowException if the key or row does not begin with that byte */
    CompactValues(byte[] part, byte form) throws BadRowException {
        this(part, 1, part.length);
        if (part[0] != form) {
            throw new BadRowException("it has the form " + part[0] + ", which this version of the sink does not know");
        }
    }

    private CompactValues(byte[] bytes, int begin, int limit) {
        this.bytes = bytes;
        this.end = begin;
        this.limit = limit;
    }

    /** Returns true if the key or row has this form, in any version, and is not JSON. */
    static boolean isCompact(byte[] part) {
        return part.length > 0 && part[0] >= 0 && part[0] < LEAST_OF_TEXT;
    }

    /** Moves to the next value; returns false if there is none. */
    boolean next() throws BadRowException {
        if (end == limit) {
            return false;
        }
        int size = size();
        isNull = size == 0;
        begin = end;
        end = begin + Math.max(size - 1, 0);
        if (size < 0 || end < begin || end > limit) {
            throw broken();
        }
        return true;
    }

    private int size() throws BadRowException {
        int size = 0;
        for (int shift = 0; shift < Integer.SIZE && end < limit; shift += GROUP_BITS) {
            byte group = bytes[end++];
            size |= (group & (MORE - 1)) << shift;
            if ((group & MORE) == 0) {
                return size;
            }
        }
        throw broken();
    }

    private static BadRowException broken() {
        return new BadRowException("its bytes are no values");
    }

    boolean isNull() {
        return isNull;
    }

    /** Returns the value as a signed number, highest byte first. */
    long number() throws BadRowException {
        if (end - begin > Long.BYTES) {
            throw broken();
        }
        long number = end == begin ? 0 : bytes[begin];
        for (int i = begin + 1; i < end; i++) {
            number = (number << Byte.SIZE) | (bytes[i] & 0xFF);
        }
        return number;
    }

    /** Writes the bytes of the value with their length before them. */
    void write(CopyBuffer out) {
        out.putInt(end - begin).put(bytes, begin, end - begin);
    }

    /** Returns the values inside this one, as a row without a key before it. */
    byte[] row() {
        byte[] row = new byte[1 + end - begin];
        row[0] = VERSION;
        System.arraycopy(bytes, begin, row, 1, end - begin);
        return row;
    }

    /**
     * Returns the values inside this one, as a key; takes the value of the other key for each null.
     *
     * @param key a buffer for the bytes of the key
     */
    byte[] keyAfter(byte[] other, CopyBuffer key) throws BadRowException {
        CompactValues changed = new CompactValues(bytes, begin, end);
        CompactValues same = new CompactValues(other, 1, other.length);
        key.truncate(0);
        key.putByte(VERSION);
        for (int from = changed.end; changed.next(); from = changed.end) {
            int sameFrom = same.end;
            boolean isThere = same.next();
            if (!changed.isNull()) {
                key.put(bytes, from, changed.end - from);
            } else if (isThere) {
                key.put(other, sameFrom, same.end - sameFrom);
            } else {
                throw broken();
            }
        }
        return Arrays.copyOf(key.array(), key.length());
    }

    /** Writes the values inside this one as a JSON object: a name, its text, the next name. */
    void writeObject(CopyBuffer out) throws BadRowException {
        CompactValues texts = new CompactValues(bytes, begin, end);
        char before = '{';
        while (texts.next()) {
            out.putByte(before);
            texts.writeQuoted(out);
            out.putByte(':');
            if (!texts.next()) {
                throw broken();
            }
            texts.writeQuoted(out);
            before = ',';
        }
        if (before == '{') {
            out.putByte(before);
        }
        out.putByte('}');
    }

    private void writeQuoted(CopyBuffer out) {
        out.putByte('"');
        for (int i = begin; i < end; i++) {
            byte b = bytes[i];
            if (b >= 0 && b < ' ') {
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
