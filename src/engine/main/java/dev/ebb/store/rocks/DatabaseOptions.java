package dev.ebb.store.rocks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Priority;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksObject;

/** The options of a {@link Database} and its column families; closed after the database. */
final class DatabaseOptions implements AutoCloseable {

    private static final byte[] LOOKUPS = "lookups".getBytes(StandardCharsets.UTF_8);
    private static final byte[] OFFSETS = "offsets".getBytes(StandardCharsets.UTF_8);

    /** A size that a family seldom reaches in the middle of a transaction: {@link Checkpoints} write files before. */
    private static final long WRITE_BUFFER_BYTES = 64L << 20;

    private static final long SMALL_WRITE_BUFFER_BYTES = 1L << 20;
    private static final long SMALL_ARENA_BYTES = 8L << 10;
    private static final int WRITE_BUFFERS = 3;

    /**
     * The flush threads of the process, which all stores share. They wait for the disk; with only one, so would all
     * writers of 64 partitions.
     */
    private static final int FLUSH_THREADS = 4;

    /**
     * A merge spends more time on blocks than on bytes: with records in blocks of 16 KiB instead of 4 KiB it takes a
     * quarter less (measured). Records are mostly read in order.
     */
    private static final int RECORD_BLOCK_BYTES = 16 << 10;

    /** Look-ups are read one at a time. */
    private static final int LOOKUP_BLOCK_BYTES = 4 << 10;

    private static final int FILTER_BITS = 10;

    /** The number of files at which a merge begins; set again after a restoration. */
    private static final int EAGER_FILES = 5;

    /**
     * Files are merged with the next older file if that file is larger than all of them together by at most this many
     * percent. With RocksDB's 4 files and 1 % few files are close enough in size, so the newest are merged with each
     * other again and again. With 5 files and 50 % merges take a sixth less time, and no more files exist (measured).
     */
    private static final int LARGER_PERCENT = 50;

    /**
     * The number of files at which a merge begins while a store is restored: each record is then merged fewer times.
     */
    private static final int PATIENT_FILES = 32;

    /**
     * The numbers of files that slow down and stop writers: RocksDB's own figures plus the files that may exist after a
     * restoration, so that the first events need not wait for their merge.
     */
    private static final int SLOWDOWN_FILES = 20 + PATIENT_FILES;

    private static final int STOP_FILES = 36 + PATIENT_FILES;

    /** Records with the same first bytes mostly come in order: each is inserted right after the previous one. */
    private static final int HINT_BYTES = 5;

    private final SharedMemory memory;

    /** The native objects in the order in which they must be closed. */
    private final List<RocksObject> natives = new ArrayList<>();

    private final List<ColumnFamilyDescriptor> families;
    private final DBOptions database;

    DatabaseOptions(SharedMemory memory) {
        this.memory = memory;
        this.families = List.of(
                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, recordOptions()),
                new ColumnFamilyDescriptor(LOOKUPS, lookupOptions()),
                new ColumnFamilyDescriptor(OFFSETS, offsetOptions()));
        families.forEach(family -> natives.add(family.getOptions()));
        this.database = databaseOptions();
        natives.add(database);
    }

    DBOptions database() {
        return database;
    }

    /** Returns the families of the records, the look-ups and the offsets. */
    List<ColumnFamilyDescriptor> families() {
        return families;
    }

    /** Returns the options for merging files eagerly or seldom, see {@link Database#mergeEagerly}. */
    static MutableColumnFamilyOptions merging(boolean isEager) {
        return MutableColumnFamilyOptions.builder()
                .setLevel0FileNumCompactionTrigger(isEager ? EAGER_FILES : PATIENT_FILES)
                .build();
    }

    private DBOptions databaseOptions() {
        DBOptions options = new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setAtomicFlush(true)
                .setAllowConcurrentMemtableWrite(false) // one thread writes
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setIncreaseParallelism(Math.max(2, Runtime.getRuntime().availableProcessors()))
                .setWriteBufferManager(memory.writeBuffers());
        // Setting the parallelism of a store has set these threads to one.
        Env.getDefault().setBackgroundThreads(FLUSH_THREADS, Priority.HIGH);
        return options;
    }

    private ColumnFamilyOptions recordOptions() {
        Properties hint = new Properties();
        hint.setProperty("memtable_insert_with_hint_prefix_extractor", "rocksdb.FixedPrefix." + HINT_BYTES);
        // Every record that is read exists, so filters of the last level would only take memory.
        return options(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(hint), RECORD_BLOCK_BYTES)
                .setOptimizeFiltersForHits(true);
    }

    private ColumnFamilyOptions lookupOptions() {
        return options(new ColumnFamilyOptions(), LOOKUP_BLOCK_BYTES).setOptimizeFiltersForHits(false);
    }

    private static ColumnFamilyOptions offsetOptions() {
        return new ColumnFamilyOptions()
                .setWriteBufferSize(SMALL_WRITE_BUFFER_BYTES)
                .setArenaBlockSize(SMALL_ARENA_BYTES);
    }

    private ColumnFamilyOptions options(ColumnFamilyOptions family, int blockBytes) {
        BloomFilter filter = new BloomFilter(FILTER_BITS);
        natives.add(filter);
        BlockBasedTableConfig table = memory.bound(new BlockBasedTableConfig())
                .setBlockSize(blockBytes)
                .setFilterPolicy(filter)
                .setWholeKeyFiltering(true);
        CompactionOptionsUniversal merging = new CompactionOptionsUniversal().setSizeRatio(LARGER_PERCENT);
        natives.add(merging);
        return family.setTableFormatConfig(table)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setArenaBlockSize(SharedMemory.ARENA_BYTES)
                .setMaxWriteBufferNumber(WRITE_BUFFERS)
                .setLevel0FileNumCompactionTrigger(EAGER_FILES)
                .setLevel0SlowdownWritesTrigger(SLOWDOWN_FILES)
                .setLevel0StopWritesTrigger(STOP_FILES)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setCompactionOptionsUniversal(merging);
    }

    @Override
    public void close() {
        natives.forEach(RocksObject::close);
    }
}
