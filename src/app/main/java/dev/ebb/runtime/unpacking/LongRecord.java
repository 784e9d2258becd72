package dev.ebb.runtime.unpacking;

import dev.ebb.domain.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.utils.internals.ByteUtils;

/**
 * Reads a record of any length and keeps enough of it to show its reader that it is too big: the start of its key, the
 * first of its headers in their order, and the size and hash of its value. Short parts stay whole. Not thread-safe.
 */
final class LongRecord {

    /** Bytes to count for a header in memory, in addition to its name and its value. */
    private static final int HEADER_BYTES = 10;

    private static final int NONE = -1;
    private static final int PIECE_BYTES = 16 * 1024;

    private final InputStream input;
    private final int mostBytes;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final DataOutputStream output = new DataOutputStream(kept);
    private final byte[] piece = new byte[PIECE_BYTES];
    private final InputStream counted = new Counted();
    private int left;

    /**
     * @param input the bytes behind the length of the record
     * @param bytes length of the record in bytes
     * @param mostBytes the maximum number of bytes to keep of its key, of its value, and of its headers
     */
    LongRecord(InputStream input, int bytes, int mostBytes) {
        this.input = input;
        this.left = bytes;
        this.mostBytes = mostBytes;
    }

    /** Returns the record with its length, as in a batch. */
    ByteBuffer read() throws IOException {
        output.write(next());
        ByteUtils.writeVarlong(varlong(), output);
        ByteUtils.writeVarint(varint(), output);
        copyPart(mostBytes, output);
        readValue();
        readHeaders();
        skip(left);
        byte[] body = kept.toByteArray();
        ByteBuffer record = ByteBuffer.allocate(ByteUtils.sizeOfVarint(body.length) + body.length);
        ByteUtils.writeVarint(body.length, record);
        return record.put(body).flip();
    }

    private void readValue() throws IOException {
        int length = lengthOrNone();
        if (length <= mostBytes) {
            ByteUtils.writeVarint(length, output);
            copy(length, output);
            return;
        }
        byte[] instead = LongValue.instead(length, hash(length));
        ByteUtils.writeVarint(instead.length, output);
        output.write(instead);
    }

    /** Cuts off the header that exceeds the room, so that the headers take as much as they may. */
    private void readHeaders() throws IOException {
        int count = varint();
        if (count < 0) {
            throw new InvalidRecordException("a record of " + count + " headers");
        }
        int number = 0;
        int room = mostBytes;
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(headers);
        for (; number < count && room > HEADER_BYTES; number++) {
            room -= HEADER_BYTES;
            room -= copyPart(room, to);
            room -= copyPart(room, to);
        }
        if (number == count && left > 0) {
            throw new InvalidRecordException(left + " bytes behind the headers of a record");
        }
        ByteUtils.writeVarint(number, output);
        headers.writeTo(output);
    }

    /**
     * Copies a key, name or value with its length, up to the given number of bytes; returns the number of bytes copied.
     */
    private int copyPart(int most, DataOutputStream to) throws IOException {
        int length = lengthOrNone();
        int copied = Math.min(length, most);
        ByteUtils.writeVarint(copied, to);
        copy(copied, to);
        skip(length - copied);
        return Math.max(0, copied);
    }

    private int lengthOrNone() throws IOException {
        int length = varint();
        if (length < NONE || length > left) {
            throw new InvalidRecordException("a part of " + length + " bytes in a record that has " + left + " left");
        }
        return length;
    }

    private int varint() throws IOException {
        return ByteUtils.readVarint(counted);
    }

    private long varlong() throws IOException {
        return ByteUtils.readVarlong(counted);
    }

    private int next() throws IOException {
        int read = left == 0 ? -1 : input.read();
        if (read < 0) {
            throw new EOFException("a record ends within one of its parts");
        }
        left--;
        return read;
    }

    private void copy(int length, DataOutputStream to) throws IOException {
        each(length, bytes -> to.write(piece, 0, bytes));
    }

    private void skip(int length) throws IOException {
        each(length, bytes -> {});
    }

    private byte[] hash(int length) throws IOException {
        MessageDigest digest = Sha256.digest();
        each(length, bytes -> digest.update(piece, 0, bytes));
        return digest.digest();
    }

    private void each(int length, Piece then) throws IOException {
        for (int rest = length; rest > 0; ) {
            int read = input.read(piece, 0, Math.min(rest, piece.length));
            if (read <= 0) {
                throw new EOFException("a batch ends within a record");
            }
            rest -= read;
            left -= read;
            then.accept(read);
        }
    }

    /** The bytes of this record alone. */
    private final class Counted extends InputStream {

        @Override
        public int read() throws IOException {
            return next();
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int read = input.read(to, offset, Math.min(length, left));
            left -= Math.max(0, read);
            return read;
        }
    }

    /** Receives this number of bytes of {@code piece}. */
    private interface Piece {

        void accept(int bytes) throws IOException;
    }
}
