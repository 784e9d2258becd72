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
 * One block cache, the write buffers that count against it, and the knowledge of keys on the heap: the memory of all
 * stores of an instance together. Kafka Streams makes the stores, so this memory comes to them with the settings.
 * Close it after all of them.
 */
public final class SharedMemory implements AutoCloseable {

    /** The setting of the Kafka Streams application that carries the memory. */
    public static final String SETTING = "ebb.rocksdb.memory";

    /**
     * Bytes by which a write buffer grows. Each partition has some, and all of them together must stay well below their
     * limit: beyond that each write flushes (measured: with 1 MiB, 64 partitions took events in 20 times slower than
     * one).
     */
    public static final long ARENA_BYTES = 64L << 10;

    /**
     * The cache is 4 caches side by side, where RocksDB would have up to 64. Each of those would be as small as 2 MiB,
     * and a block that is larger than one of them is read from its file each time.
     */
    private static final int SHARD_BITS = 2;

    /** Part of the cache that indexes and filters may hold against blocks of records; RocksDB's default in C++. */
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
     * Use of the memory.
     *
     * @param blocks bytes of blocks that were read and of write buffers; some of the latter may exceed the limit
     * @param blocksLimit the limit of these bytes
     * @param lookups bytes on the heap by which missing keys are known
     * @param lookupsLimit the limit of those bytes on the heap
     */
    public record Use(long blocks, long blocksLimit, long lookups, long lookupsLimit) {}

    /**
     * @param blockCacheBytes the most bytes of read blocks and write buffers together
     * @param writeBufferBytes the most of them for records that are written and not yet flushed
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
     * The memory that the settings of a Kafka Streams application carry.
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
     * Lets the table keep its blocks, indexes and filters within the bound: the latter would grow with the data outside of it.
     * They come in pieces, of which only those are held that are asked for: in one piece, those of a large file do not stay
     * in the cache, and each seek reads them again (seen in a profile of B-4).
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

    /** Counts one more table that uses write buffers. Thread-safe. */
    void joined() {
        tables.incrementAndGet();
    }

    /** Counts one table fewer. Thread-safe. */
    void left() {
        tables.decrementAndGet();
    }

    /** Notes that a table has more, or fewer, bytes that are in no file; returns those of all tables. Thread-safe. */
    long addUnwritten(long bytes) {
        return unwritten.addAndGet(bytes);
    }

    /**
     * Returns true if a table with so many of all unwritten bytes should write files, so that RocksDB, which does it in
     * the middle of a transaction, need not: half of the write buffers is in use, and this table has its share of that.
     * Thread-safe.
     */
    boolean isAboveShare(long bytes, long all) {
        return all >= writeBufferBytes / 2 && bytes >= all / Math.max(1, tables.get());
    }

    /** Takes bytes for the knowledge of keys; returns false and takes none if fewer are left. Thread-safe. */
    boolean reserveForLookups(long bytes) {
        if (lookupBytesLeft.addAndGet(-bytes) >= 0) {
            return true;
        }
        releaseForLookups(bytes);
        return false;
    }

    /** Returns true if less than a quarter is left of the bytes for the knowledge of keys. Thread-safe. */
    boolean isScarceForLookups() {
        return lookupBytesLeft.get() < lookupBytes / 4;
    }

    /** Gives back bytes that were taken for the knowledge of keys. Thread-safe. */
    void releaseForLookups(long bytes) {
        lookupBytesLeft.addAndGet(bytes);
    }

    /** The present use; no blocks once the memory is closed. Thread-safe. */
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
