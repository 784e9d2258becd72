package dev.ebb.runtime;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * Bounds the memory of all stores of an instance together. Kafka Streams makes a setter for each store, so what
 * they share comes to them with the settings.
 */
public final class RocksDbMemory implements RocksDBConfigSetter {

    /** The setting that carries what the stores share. */
    static final String SHARED = "ebb.rocksdb.memory";

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        Shared shared = (Shared) configs.get(SHARED);
        if (shared == null) {
            throw new IllegalStateException(SHARED + " is not set");
        }
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(shared.cache);
        // Otherwise indexes and filters grow with the data, outside of the bound.
        table.setCacheIndexAndFilterBlocks(true);
        table.setPinTopLevelIndexAndFilter(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(shared.writeBuffers);
    }

    /** The cache belongs to the instance and not to the store that closes. */
    @Override
    public void close(String storeName, Options options) {}

    /** One block cache and the write buffers that count against it. Close it after all stores. */
    public static final class Shared implements AutoCloseable {

        static {
            RocksDB.loadLibrary();
        }

        private final LRUCache cache;
        private final WriteBufferManager writeBuffers;

        public Shared(long blockCacheBytes, long writeBufferBytes) {
            cache = new LRUCache(blockCacheBytes);
            writeBuffers = new WriteBufferManager(writeBufferBytes, cache);
        }

        @Override
        public void close() {
            writeBuffers.close();
            cache.close();
        }
    }
}
