package dev.ebb.runtime.streams;

import dev.ebb.store.rocks.SharedMemory;
import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;

/**
 * Assigns the stores that Kafka Streams makes their part of the memory of the instance; see {@link SharedMemory}.
 */
public final class RocksDbMemory implements RocksDBConfigSetter {

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        SharedMemory shared = SharedMemory.in(configs);
        options.setTableFormatConfig(shared.bound((BlockBasedTableConfig) options.tableFormatConfig()));
        options.setWriteBufferManager(shared.writeBuffers());
        options.setArenaBlockSize(SharedMemory.ARENA_BYTES);
    }

    /** The cache belongs to the instance, not to the store that closes. */
    @Override
    public void close(String storeName, Options options) {}
}
