package dev.ebb.store.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes values for the stores: numbers as big-endian, lengths as variable-length integers. Not thread-safe. */
public final class ByteWriter {

    private byte[] bytes;
    private int length;

    public ByteWriter(int expectedBytes) {
        bytes = new byte[expectedBytes];
    }

    public ByteWriter writeByte(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
        return this;
    }

    public ByteWriter writeInt(int value) {
        ensure(Integer.BYTES);
        for (int shift = 24; shift >= 0; shift -= Byte.SIZE) {
            bytes[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    public ByteWriter writeLong(long value) {
        ensure(Long.BYTES);
        for (int shift = 56; shift >= 0; shift -= Byte.SIZE) {
            bytes[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Writes a number that is usually small and never negative. */
    public ByteWriter writeVarLong(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[length++] = (byte) ((rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return this;
    }

    public ByteWriter writeBytes(byte[] value) {
        return writeBytes(value, 0);
    }

    /** Writes the bytes from that place on. */
    ByteWriter writeBytes(byte[] value, int from) {
        return writeVarLong(value.length - from).writeRaw(value, from);
    }

    /** Writes the bytes without their length. */
    ByteWriter writeRaw(byte[] value) {
        return writeRaw(value, 0);
    }

    private ByteWriter writeRaw(byte[] value, int from) {
        int size = value.length - from;
        ensure(size);
        System.arraycopy(value, from, bytes, length, size);
        length += size;
        return this;
    }

    public ByteWriter writeText(String value) {
        return writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a text that may be missing, with a flag of its own. */
    public ByteWriter writeOptional(@Nullable String value) {
        return writeByte(value == null ? 0 : 1).writeOptionalText(value);
    }

    /** Writes a text that may be missing, or nothing for null; a flag elsewhere must tell which. */
    ByteWriter writeOptionalText(@Nullable String value) {
        return value == null ? this : writeText(value);
    }

    int length() {
        return length;
    }

    public byte[] toBytes() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
