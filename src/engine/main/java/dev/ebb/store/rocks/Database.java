package dev.ebb.store.rocks;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Priority;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

/**
 * An open RocksDB with three column families: the records, the entries that are looked up by key alone, and the data
 * that Kafka Streams wants to find again: the offsets of the changelog and whether the store was closed cleanly. There
 * is no write-ahead log, the changelog is one; the families are flushed together, so that on disk they agree. Not
 * thread-safe.
 */
final class Database implements AutoCloseable {

    private static final byte[] LOOKUPS = "lookups".getBytes(StandardCharsets.UTF_8);
    private static final byte[] OFFSETS = "offsets".getBytes(StandardCharsets.UTF_8);
    private static final byte[] STATUS = "status".getBytes(StandardCharsets.UTF_8);
    private static final byte[] OPEN = {1};
    private static final byte[] CLOSED = {0};

    private static final long WRITE_BUFFER_BYTES = 16L << 20;
    private static final long SMALL_WRITE_BUFFER_BYTES = 1L << 20;
    private static final long SMALL_ARENA_BYTES = 8L << 10;
    private static final int WRITE_BUFFERS = 3;

    /** Threads of the process, not of a store: they wait for the disk; with one, so do all writers of 64 partitions. */
    private static final int FLUSH_THREADS = 4;

    private static final int BLOCK_BYTES = 4096;
    private static final int FILTER_BITS = 10;

    /** Number of files that begins a merge: RocksDB's own figure, set again after a restoration. */
    private static final int EAGER_FILES = 4;

    /** Number of files that begins a merge while a store is restored: each record is then merged fewer times. */
    private static final int PATIENT_FILES = 32;

    /**
     * Numbers of files that slow writers down and stop them: RocksDB's own figures and as many more as may lie there
     * when a store has been restored, so that the first events do not wait until these are merged.
     */
    private static final int SLOWDOWN_FILES = 20 + PATIENT_FILES;

    private static final int STOP_FILES = 36 + PATIENT_FILES;

    /** Records with the same first bytes mostly come in their order: each is put where the one before it was. */
    private static final int HINT_BYTES = 5;

    final RocksDB db;
    final ColumnFamilyHandle records;
    final ColumnFamilyHandle lookups;
    final WriteOptions writeOptions = new WriteOptions().setDisableWAL(true);
    final ColumnFamilyHandle offsets;

    /** Native objects in the order in which they must be closed. */
    private final List<AutoCloseable> natives;

    private final File folder;
    private volatile boolean isDamaged;

    private Database(RocksDB db, File folder, List<ColumnFamilyHandle> families, List<AutoCloseable> natives) {
        this.db = db;
        this.folder = folder;
        this.records = families.get(0);
        this.lookups = families.get(1);
        this.offsets = families.get(2);
        this.natives = natives;
    }

    /**
     * Opens the folder, which is made if it is not there.
     *
     * @throws DamagedStoreException if its files are not as RocksDB wrote them; they are deleted
     * @throws ProcessorStateException if the folder cannot be opened for another reason, such as a full disk
     */
    static Database open(File folder, SharedMemory memory) {
        List<AutoCloseable> natives = new ArrayList<>();
        List<ColumnFamilyHandle> families = new ArrayList<>();
        DBOptions options = new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setAtomicFlush(true)
                .setAllowConcurrentMemtableWrite(false) // one thread writes
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setIncreaseParallelism(Math.max(2, Runtime.getRuntime().availableProcessors()))
                .setWriteBufferManager(memory.writeBuffers());
        // The call that sets the parallelism of a store has set these threads to one.
        Env.getDefault().setBackgroundThreads(FLUSH_THREADS, Priority.HIGH);
        List<ColumnFamilyDescriptor> descriptors = List.of(
                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, recordOptions(memory, natives)),
                new ColumnFamilyDescriptor(LOOKUPS, lookupOptions(memory, natives)),
                new ColumnFamilyDescriptor(OFFSETS, offsetOptions()));
        descriptors.forEach(descriptor -> natives.add(descriptor.getOptions()));
        natives.add(options);
        try {
            Files.createDirectories(folder.toPath());
            RocksDB db = RocksDB.open(options, folder.getAbsolutePath(), descriptors, families);
            return new Database(db, folder, families, natives);
        } catch (RocksDBException e) {
            closeAll(natives);
            if (isDamage(e) || lacksFile(e)) {
                delete(folder);
                throw new DamagedStoreException(folder, e);
            }
            throw notOpened(folder, e);
        } catch (IOException e) {
            closeAll(natives);
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

    private static ColumnFamilyOptions recordOptions(SharedMemory memory, List<AutoCloseable> natives) {
        Properties hint = new Properties();
        hint.setProperty("memtable_insert_with_hint_prefix_extractor", "rocksdb.FixedPrefix." + HINT_BYTES);
        // Every record that is read is there, so the filters of the last level would only take memory.
        return options(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(hint), memory, natives)
                .setOptimizeFiltersForHits(true);
    }

    private static ColumnFamilyOptions lookupOptions(SharedMemory memory, List<AutoCloseable> natives) {
        return options(new ColumnFamilyOptions(), memory, natives).setOptimizeFiltersForHits(false);
    }

    private static ColumnFamilyOptions offsetOptions() {
        return new ColumnFamilyOptions()
                .setWriteBufferSize(SMALL_WRITE_BUFFER_BYTES)
                .setArenaBlockSize(SMALL_ARENA_BYTES);
    }

    private static ColumnFamilyOptions options(
            ColumnFamilyOptions family, SharedMemory memory, List<AutoCloseable> natives) {
        BloomFilter filter = new BloomFilter(FILTER_BITS);
        natives.add(filter);
        BlockBasedTableConfig table = memory.bound(new BlockBasedTableConfig())
                .setBlockSize(BLOCK_BYTES)
                .setFilterPolicy(filter)
                .setWholeKeyFiltering(true);
        return family.setTableFormatConfig(table)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setArenaBlockSize(SharedMemory.ARENA_BYTES)
                .setMaxWriteBufferNumber(WRITE_BUFFERS)
                .setLevel0FileNumCompactionTrigger(EAGER_FILES)
                .setLevel0SlowdownWritesTrigger(SLOWDOWN_FILES)
                .setLevel0StopWritesTrigger(STOP_FILES)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setCompactionStyle(CompactionStyle.UNIVERSAL);
    }

    /**
     * Sets how eagerly files are merged: at once, so that few have to be asked and an iterator has few to go through;
     * or seldom, so that new records are merged fewer times.
     */
    void mergeEagerly(boolean isEager) {
        var options = MutableColumnFamilyOptions.builder()
                .setLevel0FileNumCompactionTrigger(isEager ? EAGER_FILES : PATIENT_FILES)
                .build();
        try {
            db.setOptions(records, options);
            db.setOptions(lookups, options);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /** Returns true if the database was opened before and not closed. */
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

    /** The offset as it was given; null if there is none. */
    @Nullable
    Long offset(TopicPartition partition) {
        try {
            byte[] value = db.get(offsets, key(partition));
            return value == null ? null : (Long) ByteBuffer.wrap(value).getLong();
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /** Keeps the offset, a negative one like another; null forgets it. */
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

    /** Returns true if the iterator stands at an entry; one that stops at a damaged block is not at the end. */
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

    /** Returns true if something was read that differs from what had been written. */
    boolean isDamaged() {
        return isDamaged;
    }

    /** Throws {@link DamagedStoreException} if a read has met damage. */
    void requireSound() {
        if (isDamaged) {
            throw new DamagedStoreException(folder, null);
        }
    }

    /** Writes to disk all that is in memory; a damaged store is deleted, so that the next starts from its changelog. */
    @Override
    public void close() {
        records.close();
        lookups.close();
        offsets.close();
        db.close();
        writeOptions.close();
        closeAll(natives);
        if (isDamaged) {
            delete(folder);
        }
    }

    /** Under at least once nothing else would delete it. */
    private static void delete(File folder) {
        try {
            Utils.delete(folder);
        } catch (IOException e) {
            throw new ProcessorStateException("the damaged store in " + folder + " can not be deleted", e);
        }
    }

    private static void closeAll(List<AutoCloseable> natives) {
        for (AutoCloseable each : natives) {
            try {
                each.close();
            } catch (Exception e) {
                throw new ProcessorStateException("a part of a store can not be closed", e);
            }
        }
    }

    ProcessorStateException failure(RocksDBException e) {
        if (isDamage(e)) {
            isDamaged = true;
            return new DamagedStoreException(folder, e);
        }
        return new ProcessorStateException("the store can not be read or written: " + e.getMessage(), e);
    }

    /** The folder is there, so the missing file is one that other files name; RocksDB says so in words alone. */
    private static boolean lacksFile(RocksDBException e) {
        return String.valueOf(e.getMessage()).contains("No such file");
    }

    private static boolean isDamage(RocksDBException e) {
        return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption;
    }
}
