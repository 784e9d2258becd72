package dev.ebb.store.rocks;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.StreamsConfig;

/** {@link DerivingStore}s as the application has them, with the memory that one partition may take. */
public final class RocksStores implements AutoCloseable {

    private final SharedMemory memory = new SharedMemory(64L << 20, 32L << 20, 32L << 20);
    private final File folder;
    private final List<DerivingStore> stores = new ArrayList<>();

    /** @param folder where all of them lie */
    public RocksStores(File folder) {
        this.folder = folder;
    }

    public DerivingStore open(String name, Derivation derivation) {
        DerivingStore store = new DerivingStore(name, derivation, RocksTable::open);
        store.init(TaskContexts.in(folder, StreamsConfig.EXACTLY_ONCE_V2, memory), store);
        stores.add(store);
        return store;
    }

    @Override
    public void close() {
        stores.forEach(DerivingStore::close);
        memory.close();
    }
}
