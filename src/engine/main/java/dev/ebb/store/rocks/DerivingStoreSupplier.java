package dev.ebb.store.rocks;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Creates a {@link DerivingStore} on RocksDB for each task.
 *
 * @param name the name of the store
 * @param derivation the derivation of the store's index from its records
 */
public record DerivingStoreSupplier(String name, Derivation derivation) implements KeyValueBytesStoreSupplier {

    @Override
    public KeyValueStore<Bytes, byte[]> get() {
        return new DerivingStore(name, derivation, RocksTable::open);
    }

    @Override
    public String metricsScope() {
        return "rocksdb";
    }
}
