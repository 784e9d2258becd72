package dev.ebb.serde.schemas;

import dev.ebb.domain.Unicode;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * Decodes Avro from an array. Unlike Avro's own decoder, it accepts no length that the array cannot hold: twenty
 * hostile bytes would otherwise allocate two gigabytes. It also refuses texts that are not valid UTF-8: replacement
 * characters must not turn two names into one. Not thread-safe.
 */
final class WireDecoder extends Decoder {

    private final byte[] bytes;
    private int position;

    WireDecoder(byte[] bytes, int position) {
        this.bytes = bytes;
        this.position = position;
    }

    /** Returns the number of bytes that have not been read. */
    int remaining() {
        return bytes.length - position;
    }

    @Override
    public void readNull() {}

    @Override
    public boolean readBoolean() throws IOException {
        byte value = bytes[advance(1)];
        if (value != 0 && value != 1) {
            throw new AvroRuntimeException("a boolean is " + value);
        }
        return value == 1;
    }

    @Override
    public int readInt() throws IOException {
        long value = readLong();
        if (value != (int) value) {
            throw new AvroRuntimeException("an int is too big: " + value);
        }
        return (int) value;
    }

    @Override
    public long readLong() throws IOException {
        long zigzag = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = bytes[advance(1)];
            zigzag |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw new AvroRuntimeException("a number has more than ten bytes");
    }

    @Override
    public float readFloat() throws IOException {
        return Float.intBitsToFloat((int) readLittleEndian(Float.BYTES));
    }

    @Override
    public double readDouble() throws IOException {
        return Double.longBitsToDouble(readLittleEndian(Double.BYTES));
    }

    @Override
    public Utf8 readString(@Nullable Utf8 old) throws IOException {
        return new Utf8(readString());
    }

    @Override
    public String readString() throws IOException {
        int length = readLength();
        int start = advance(length);
        String text = new String(bytes, start, length, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            requireUtf8(start, length);
        }
        return text;
    }

    @Override
    public void skipString() throws IOException {
        skipBytes();
    }

    @Override
    public ByteBuffer readBytes(@Nullable ByteBuffer old) throws IOException {
        int length = readLength();
        int start = advance(length);
        return ByteBuffer.wrap(Arrays.copyOfRange(bytes, start, start + length));
    }

    @Override
    public void skipBytes() throws IOException {
        advance(readLength());
    }

    @Override
    public void readFixed(byte[] target, int start, int length) throws IOException {
        System.arraycopy(bytes, advance(length), target, start, length);
    }

    @Override
    public void skipFixed(int length) throws IOException {
        advance(length);
    }

    @Override
    public int readEnum() throws IOException {
        return readInt();
    }

    @Override
    public int readIndex() throws IOException {
        return readInt();
    }

    @Override
    public long readArrayStart() throws IOException {
        return readBlockCount();
    }

    @Override
    public long arrayNext() throws IOException {
        return readBlockCount();
    }

    @Override
    public long skipArray() throws IOException {
        return skipBlocks();
    }

    @Override
    public long readMapStart() throws IOException {
        return readBlockCount();
    }

    @Override
    public long mapNext() throws IOException {
        return readBlockCount();
    }

    @Override
    public long skipMap() throws IOException {
        return skipBlocks();
    }

    /**
     * Reads the count of a block. A negative count is followed by the size of the block in bytes, which is needed only
     * to skip the block.
     */
    private long readBlockCount() throws IOException {
        long count = readLong();
        if (count < 0) {
            readLong();
            count = -count;
        }
        if (count < 0 || count > remaining()) {
            throw new AvroRuntimeException("a block of " + count + " items in " + remaining() + " bytes");
        }
        return count;
    }

    /** Skips the blocks with a written size, and returns the count of the first block without one. */
    private long skipBlocks() throws IOException {
        long count = readLong();
        while (count < 0) {
            skipBytes();
            count = readLong();
        }
        return count;
    }

    private int readLength() throws IOException {
        long length = readLong();
        if (length < 0 || length > remaining()) {
            throw new AvroRuntimeException("a text or value of " + length + " bytes in " + remaining() + " bytes");
        }
        return (int) length;
    }

    private long readLittleEndian(int size) throws IOException {
        int start = advance(size);
        long bits = 0;
        for (int i = 0; i < size; i++) {
            bits |= (bytes[start + i] & 0xFFL) << (Byte.SIZE * i);
        }
        return bits;
    }

    private void requireUtf8(int start, int length) {
        if (Unicode.decode(bytes, start, length).isEmpty()) {
            throw new AvroRuntimeException("a text is not valid UTF-8");
        }
    }

    /** Advances the position and returns the former one. */
    private int advance(int length) throws EOFException {
        if (length > remaining()) {
            throw new EOFException("the record ends in the middle of a value");
        }
        int start = position;
        position += length;
        return start;
    }
}
