package dev.ebb.store.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a {@link ByteWriter} in the order in which they were written. Throws an {@link
 * IllegalStateException} or {@link IndexOutOfBoundsException} for damaged bytes. Not thread-safe.
 */
public final class ByteReader {

    private final byte[] bytes;
    private int position;

    public ByteReader(byte[] bytes) {
        this.bytes = bytes;
    }

    void skip(int count) {
        position += count;
    }

    /** Returns true if anything is left. A later version may append values to those of an earlier version. */
    boolean hasMore() {
        return position < bytes.length;
    }

    public int readByte() {
        return bytes[position++] & 0xFF;
    }

    public int readInt() {
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << Byte.SIZE | readByte();
        }
        return value;
    }

    public long readLong() {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << Byte.SIZE | readByte();
        }
        return value;
    }

    public long readVarLong() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            int next = readByte();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
    }

    public byte[] readBytes() {
        byte[] value = new byte[readSize()];
        System.arraycopy(bytes, position, value, 0, value.length);
        position += value.length;
        return value;
    }

    /** Reads a text that {@link ByteWriter#writeOptional} wrote; null if it is missing. */
    public @Nullable String readOptional() {
        return readByte() == 0 ? null : readText();
    }

    public String readText() {
        int size = readSize();
        String value = new String(bytes, position, size, StandardCharsets.UTF_8);
        position += size;
        return value;
    }

    /** Skips a text; returns true if it equals the wanted one, or if {@code wanted} is null. */
    boolean skipText(byte @Nullable [] wanted) {
        int size = readSize();
        int start = position;
        position += size;
        return wanted == null || Arrays.equals(bytes, start, position, wanted, 0, wanted.length);
    }

    /** Skips a text; returns its index in {@code texts}, or -1 if it is none of them. */
    int skipAnyOf(byte[][] texts) {
        int size = readSize();
        int start = position;
        position += size;
        for (int i = 0; i < texts.length; i++) {
            if (Arrays.equals(bytes, start, position, texts[i], 0, texts[i].length)) {
                return i;
            }
        }
        return -1;
    }

    /** Reads a size and checks it: a damaged size must not ask for more memory than there is. */
    private int readSize() {
        long size = readVarLong();
        if (size < 0 || size > bytes.length - position) {
            throw new IllegalStateException(
                    "damaged: a part of " + size + " bytes begins at byte " + position + " of " + bytes.length);
        }
        return (int) size;
    }
}
