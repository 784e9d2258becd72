package dev.ebb.store.rocks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Changes that have not reached the database yet. They go there together, which costs less than one by one, and whoever
 * reads must {@link #drain} first. Losing them is losing nothing: under exactly once a store that was not closed is built
 * anew, and without it the offsets are written after them.
 *
 * <p>The batch is written here in the form that RocksDB gives a {@link WriteBatch}, since each change that is handed over
 * by itself costs as much as writing three of them (measured: 3 % of the time of an event): the sequence number and how many
 * changes there are, little-endian, then for each change its kind, the column family unless it is the first, key and value,
 * lengths as variable-length integers. Not thread-safe.
 */
final class WriteBuffer {

    private static final int MAX_CHANGES = 1024;
    private static final int MAX_BYTES = 1 << 20;
    private static final int FIRST_BYTES = 1 << 16;

    private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;
    private static final int MAX_INT_BYTES = 5;

    private static final int DELETE = 0;
    private static final int PUT = 1;
    private static final int DELETE_IN_FAMILY = 4;
    private static final int PUT_IN_FAMILY = 5;

    private final Database database;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length = HEADER_BYTES;
    private int changes;

    WriteBuffer(Database database) {
        this.database = database;
    }

    void put(ColumnFamilyHandle family, byte[] key, byte[] value) {
        begin(family, PUT, PUT_IN_FAMILY, key.length + value.length);
        append(key);
        append(value);
        drainIfFull();
    }

    void delete(ColumnFamilyHandle family, byte[] key) {
        begin(family, DELETE, DELETE_IN_FAMILY, key.length);
        append(key);
        drainIfFull();
    }

    private void begin(ColumnFamilyHandle family, int kind, int kindInFamily, int contentBytes) {
        ensure(1 + 3 * MAX_INT_BYTES + contentBytes);
        int id = family.getID();
        if (id == 0) {
            bytes[length++] = (byte) kind;
        } else {
            bytes[length++] = (byte) kindInFamily;
            appendLength(id);
        }
        changes++;
    }

    private void append(byte[] content) {
        appendLength(content.length);
        System.arraycopy(content, 0, bytes, length, content.length);
        length += content.length;
    }

    private void appendLength(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    private void drainIfFull() {
        if (changes >= MAX_CHANGES || length >= MAX_BYTES) {
            drain();
        }
    }

    /** Sends everything to the database. */
    void drain() {
        if (changes == 0) {
            return;
        }
        try (WriteBatch batch = new WriteBatch(toBatch())) {
            database.db.write(database.writeOptions, batch);
        } catch (RocksDBException e) {
            throw database.failure(e);
        }
        length = HEADER_BYTES;
        changes = 0;
    }

    /** The changes as RocksDB reads them. */
    byte[] toBatch() {
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(Long.BYTES, changes);
        return Arrays.copyOf(bytes, length);
    }
}
