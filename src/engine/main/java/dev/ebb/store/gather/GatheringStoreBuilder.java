package dev.ebb.store.gather;

import dev.ebb.store.rocks.DerivingStore;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Builds stores for Kafka Streams without its changelog, which a {@link GatheringStore} writes instead.
 *
 * @param stores the supplier of {@link DerivingStore}s
 * @param logConfig the settings of the changelog
 */
public record GatheringStoreBuilder(KeyValueBytesStoreSupplier stores, Map<String, String> logConfig)
        implements StoreBuilder<KeyValueStore<Bytes, byte[]>> {

    @Override
    public KeyValueStore<Bytes, byte[]> build() {
        return Stores.keyValueStoreBuilder(new Supplier(stores), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
    }

    @Override
    public String name() {
        return stores.name();
    }

    @Override
    public boolean loggingEnabled() {
        return true;
    }

    @Override
    public StoreBuilder<KeyValueStore<Bytes, byte[]>> withLoggingEnabled(Map<String, String> newConfig) {
        return new GatheringStoreBuilder(stores, newConfig);
    }

    @Override
    public StoreBuilder<KeyValueStore<Bytes, byte[]>> withLoggingDisabled() {
        throw new UnsupportedOperationException("the store is there for its changelog");
    }

    @Override
    public StoreBuilder<KeyValueStore<Bytes, byte[]>> withCachingEnabled() {
        throw new UnsupportedOperationException("a cache would hide when a key is new");
    }

    @Override
    public StoreBuilder<KeyValueStore<Bytes, byte[]>> withCachingDisabled() {
        return this;
    }

    private record Supplier(KeyValueBytesStoreSupplier stores) implements KeyValueBytesStoreSupplier {

        @Override
        public String name() {
            return stores.name();
        }

        @Override
        public KeyValueStore<Bytes, byte[]> get() {
            return new GatheringStore((DerivingStore) stores.get(), Gathered.MAX_BYTES);
        }

        @Override
        public String metricsScope() {
            return stores.metricsScope();
        }
    }
}
