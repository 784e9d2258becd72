package dev.ebb.store.rocks;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

/**
 * An open RocksDB with three column families: the records, the entries that are looked up by key alone, and the data
 * that Kafka Streams must find again, which are the offsets of the changelog and whether they stand for all records.
 * The changelog takes the place of a write-ahead log. The families are flushed together, so they agree on disk. Not
 * thread-safe.
 */
final class Database implements AutoCloseable {

    private static final byte[] STATUS = "status".getBytes(StandardCharsets.UTF_8);
    private static final byte[] OPEN = {1};
    private static final byte[] CLOSED = {0};

    final RocksDB db;
    final ColumnFamilyHandle records;
    final ColumnFamilyHandle lookups;
    final WriteOptions writeOptions = new WriteOptions().setDisableWAL(true);
    final ColumnFamilyHandle offsets;

    private final DatabaseOptions options;
    private final File folder;
    private volatile boolean isDamaged;

    private Database(RocksDB db, File folder, List<ColumnFamilyHandle> families, DatabaseOptions options) {
        this.db = db;
        this.folder = folder;
        this.records = families.get(0);
        this.lookups = families.get(1);
        this.offsets = families.get(2);
        this.options = options;
    }

    /**
     * Opens the database in the folder, which is created if it does not exist.
     *
     * @throws DamagedStoreException if its files are not as RocksDB wrote them; they are deleted
     * @throws ProcessorStateException if the folder cannot be opened for another reason, such as a full disk
     */
    static Database open(File folder, SharedMemory memory) {
        DatabaseOptions options = new DatabaseOptions(memory);
        List<ColumnFamilyHandle> families = new ArrayList<>();
        try {
            Files.createDirectories(folder.toPath());
            RocksDB db = RocksDB.open(options.database(), folder.getAbsolutePath(), options.families(), families);
            return new Database(db, folder, families, options);
        } catch (RocksDBException e) {
            options.close();
            if (isDamage(e) || lacksFile(e)) {
                delete(folder);
                throw new DamagedStoreException(folder, e);
            }
            throw notOpened(folder, e);
        } catch (IOException e) {
            options.close();
            throw notOpened(folder, e);
        }
    }

    private static ProcessorStateException notOpened(File folder, Exception e) {
        return new ProcessorStateException(
                "the store in " + folder
                        + " can not be opened. If its files are damaged, stop the instance and delete"
                        + " its state.dir: all of it is restored from the changelogs",
                e);
    }

    /**
     * Sets how eagerly files are merged: at once, so that look-ups and iterators have few files to read; or seldom, so
     * that new records are merged fewer times.
     */
    void mergeEagerly(boolean isEager) {
        var merging = DatabaseOptions.merging(isEager);
        try {
            db.setOptions(records, merging);
            db.setOptions(lookups, merging);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    boolean isEmpty() {
        try (var entries = db.newIterator(records)) {
            entries.seekToFirst();
            return !isValid(entries);
        }
    }

    /** Returns true if the content may include a part of a transaction that has not ended. */
    boolean wasLeftOpen() {
        try {
            byte[] status = db.get(offsets, STATUS);
            return status != null && !Arrays.equals(status, CLOSED);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    void markOpen() {
        putOffset(STATUS, OPEN);
    }

    void markClosed() {
        putOffset(STATUS, CLOSED);
    }

    /** Returns the offset as it was given; null if there is none. */
    @Nullable
    Long offset(TopicPartition partition) {
        try {
            byte[] value = db.get(offsets, key(partition));
            return value == null ? null : (Long) ByteBuffer.wrap(value).getLong();
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /** Keeps the offset, which may be negative; null removes it. */
    void saveOffset(TopicPartition partition, @Nullable Long offset) {
        if (offset == null) {
            deleteOffset(key(partition));
        } else {
            putOffset(
                    key(partition),
                    ByteBuffer.allocate(Long.BYTES).putLong(offset).array());
        }
    }

    void forgetOffsets() {
        List<byte[]> keys = new ArrayList<>();
        try (var entries = db.newIterator(offsets)) {
            for (entries.seekToFirst(); isValid(entries); entries.next()) {
                keys.add(entries.key());
            }
        }
        keys.stream().filter(key -> !Arrays.equals(key, STATUS)).forEach(this::deleteOffset);
    }

    private void putOffset(byte[] key, byte[] value) {
        try {
            db.put(offsets, writeOptions, key, value);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private void deleteOffset(byte[] key) {
        try {
            db.delete(offsets, writeOptions, key);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private static byte[] key(TopicPartition partition) {
        return partition.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns true if the iterator is at an entry. Throws if it stopped at a damaged block instead of its end. */
    boolean isValid(RocksIterator entries) {
        boolean isValid = entries.isValid();
        if (!isValid) {
            try {
                entries.status();
            } catch (RocksDBException e) {
                throw failure(e);
            }
        }
        return isValid;
    }

    /** Returns true if a read met data that differ from what was written. */
    boolean isDamaged() {
        return isDamaged;
    }

    /** Throws {@link DamagedStoreException} if a read has met damage. */
    void requireSound() {
        if (isDamaged) {
            throw new DamagedStoreException(folder, null);
        }
    }

    /**
     * Writes everything in memory to disk and closes the database. A damaged store is deleted, so that the next one
     * starts from its changelog.
     */
    @Override
    public void close() {
        records.close();
        lookups.close();
        offsets.close();
        db.close();
        writeOptions.close();
        options.close();
        if (isDamaged) {
            delete(folder);
        }
    }

    /** Deletes a damaged store; under at least once nothing else would. */
    private static void delete(File folder) {
        try {
            Utils.delete(folder);
        } catch (IOException e) {
            throw new ProcessorStateException("the damaged store in " + folder + " can not be deleted", e);
        }
    }

    ProcessorStateException failure(RocksDBException e) {
        if (isDamage(e)) {
            isDamaged = true;
            return new DamagedStoreException(folder, e);
        }
        return new ProcessorStateException("the store can not be read or written: " + e.getMessage(), e);
    }

    /**
     * Returns true if a file is missing that other files name, since the folder itself exists. RocksDB says so only in
     * words.
     */
    private static boolean lacksFile(RocksDBException e) {
        return String.valueOf(e.getMessage()).contains("No such file");
    }

    private static boolean isDamage(RocksDBException e) {
        return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption;
    }
}
