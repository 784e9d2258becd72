package dev.ebb.store.rocks;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.IndexType;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * The memory that all stores of an instance share: one block cache, the write buffers that count against it, and
 * the knowledge of keys on the heap. Kafka Streams creates the stores, so this memory reaches them with the settings.
 * Must be closed after all of them.
 */
public final class SharedMemory implements AutoCloseable {

    /** The setting of the Kafka Streams application that carries the memory. */
    public static final String SETTING = "ebb.rocksdb.memory";

    /**
     * The bytes by which a write buffer grows. Each partition has several write buffers, and all of them together must
     * stay well below their limit: beyond it each write flushes (measured: with 1 MiB, 64 partitions took events in 20
     * times slower than one).
     */
    public static final long ARENA_BYTES = 64L << 10;

    /**
     * The cache is divided into 4 shards, where RocksDB would make up to 64. Each of 64 could be as small as 2 MiB, and
     * a block larger than its shard is read from the file each time.
     */
    private static final int SHARD_BITS = 2;

    /** The part of the cache that indexes and filters may hold against blocks of records; RocksDB's default in C++. */
    private static final double INDEX_PART = 0.5;

    static {
        RocksDB.loadLibrary();
    }

    private final LRUCache cache;
    private final WriteBufferManager writeBuffers;
    private final AtomicLong lookupBytesLeft;
    private final AtomicLong unwritten = new AtomicLong();
    private final AtomicInteger tables = new AtomicInteger();
    private final long blockCacheBytes;
    private final long writeBufferBytes;
    private final long lookupBytes;
    private boolean isClosed;

    /**
     * The present use of the memory.
     *
     * @param blocks the bytes of read blocks and write buffers; some write buffers may exceed the limit
     * @param blocksLimit the limit of read blocks and write buffers, in bytes
     * @param lookups the bytes on the heap for the knowledge of missing keys
     * @param lookupsLimit the limit of this knowledge on the heap, in bytes
     */
    public record Use(long blocks, long blocksLimit, long lookups, long lookupsLimit) {}

    /**
     * @param blockCacheBytes the most bytes of read blocks and write buffers together
     * @param writeBufferBytes the most bytes of these for records that are written but not yet flushed
     * @param lookupBytes the most bytes on the heap for the knowledge of missing keys
     */
    public SharedMemory(long blockCacheBytes, long writeBufferBytes, long lookupBytes) {
        cache = new LRUCache(blockCacheBytes, SHARD_BITS, false, INDEX_PART);
        writeBuffers = new WriteBufferManager(writeBufferBytes, cache);
        lookupBytesLeft = new AtomicLong(lookupBytes);
        this.blockCacheBytes = blockCacheBytes;
        this.writeBufferBytes = writeBufferBytes;
        this.lookupBytes = lookupBytes;
    }

    /**
     * Returns the memory in the settings of a Kafka Streams application.
     *
     * @throws IllegalStateException if the settings carry none
     */
    public static SharedMemory in(Map<String, Object> settings) {
        if (settings.get(SETTING) instanceof SharedMemory memory) {
            return memory;
        }
        throw new IllegalStateException(SETTING + " is not set");
    }

    /**
     * Configures the table to keep its blocks, indexes and filters within the limit; outside of it, indexes and filters
     * would grow with the data. Both are stored in parts, and only the parts in use are held: in one piece, those of a
     * large file would not stay in the cache, and each seek would read them again (seen in a profile of B-4).
     */
    public BlockBasedTableConfig bound(BlockBasedTableConfig table) {
        table.setBlockCache(cache);
        table.setIndexType(IndexType.kTwoLevelIndexSearch);
        table.setPartitionFilters(true);
        table.setCacheIndexAndFilterBlocks(true);
        table.setCacheIndexAndFilterBlocksWithHighPriority(true);
        table.setPinTopLevelIndexAndFilter(true);
        return table;
    }

    public WriteBufferManager writeBuffers() {
        return writeBuffers;
    }

    /** Adds a table that uses write buffers. Thread-safe. */
    void joined() {
        tables.incrementAndGet();
    }

    /** Removes a table. Thread-safe. */
    void left() {
        tables.decrementAndGet();
    }

    /**
     * Adds to the bytes of a table that are in no file; negative bytes subtract. Returns the sum of all tables.
     * Thread-safe.
     */
    long addUnwritten(long bytes) {
        return unwritten.addAndGet(bytes);
    }

    /**
     * Returns true if a table should write files before RocksDB does so in the middle of a transaction: half of the
     * write buffers is in use, and the table has at least its share of that. Thread-safe.
     *
     * @param bytes the unwritten bytes of the table
     * @param all the unwritten bytes of all tables
     */
    boolean isAboveShare(long bytes, long all) {
        return all >= writeBufferBytes / 2 && bytes >= all / Math.max(1, tables.get());
    }

    /** Reserves bytes for the knowledge of keys; returns false and reserves none if fewer are left. Thread-safe. */
    boolean reserveForLookups(long bytes) {
        if (lookupBytesLeft.addAndGet(-bytes) >= 0) {
            return true;
        }
        releaseForLookups(bytes);
        return false;
    }

    /** Returns true if less than a quarter of the bytes for the knowledge of keys is left. Thread-safe. */
    boolean isScarceForLookups() {
        return lookupBytesLeft.get() < lookupBytes / 4;
    }

    /** Releases bytes that were reserved for the knowledge of keys. Thread-safe. */
    void releaseForLookups(long bytes) {
        lookupBytesLeft.addAndGet(bytes);
    }

    /** Returns the present use; 0 blocks once the memory is closed. Thread-safe. */
    public synchronized Use use() {
        long blocks = isClosed ? 0 : cache.getUsage();
        return new Use(blocks, blockCacheBytes, lookupBytes - lookupBytesLeft.get(), lookupBytes);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        writeBuffers.close();
        cache.close();
    }
}
