package dev.ebb.store.rocks;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Changes that have not reached the database yet. They go there together, which costs less than one by one (measured: up
 * to a fifth of the time of a put), and they can be looked up meanwhile. Losing them is losing nothing: under exactly
 * once a store that was not closed is built anew, and without it the offsets are written after them. Not thread-safe.
 */
final class WriteBuffer implements AutoCloseable {

    private static final int MAX_CHANGES = 1024;
    private static final long MAX_BYTES = 1L << 20;

    private final Database database;
    private final WriteBatch batch = new WriteBatch();
    private final Map<Bytes, byte @Nullable []> changes = new HashMap<>();

    WriteBuffer(Database database) {
        this.database = database;
    }

    void put(ColumnFamilyHandle family, Bytes key, byte[] value) {
        try {
            batch.put(family, key.get(), value);
            changes.put(key, value);
            drainIfFull();
        } catch (RocksDBException e) {
            throw Database.failure(e);
        }
    }

    void delete(ColumnFamilyHandle family, Bytes key) {
        try {
            batch.delete(family, key.get());
            changes.put(key, null);
            drainIfFull();
        } catch (RocksDBException e) {
            throw Database.failure(e);
        }
    }

    /** Whether the key was put or deleted since the last drain. */
    boolean knows(Bytes key) {
        return changes.containsKey(key);
    }

    /** The value of a key that it {@linkplain #knows knows}; null if it was deleted. */
    byte @Nullable [] value(Bytes key) {
        return changes.get(key);
    }

    private void drainIfFull() throws RocksDBException {
        if (changes.size() >= MAX_CHANGES || batch.getDataSize() >= MAX_BYTES) {
            write();
        }
    }

    /** Sends everything to the database. */
    void drain() {
        if (!changes.isEmpty()) {
            try {
                write();
            } catch (RocksDBException e) {
                throw Database.failure(e);
            }
        }
    }

    private void write() throws RocksDBException {
        database.db.write(database.writeOptions, batch);
        batch.clear();
        changes.clear();
    }

    @Override
    public void close() {
        batch.close();
    }
}
