package dev.ebb.store.rocks;

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** A {@link DerivingStore} on a sorted map that a simulation can look into, and that it restores. Not thread-safe. */
public final class SimulatedStore {

    private final TreeMap<Bytes, byte[]> entries = new TreeMap<>();
    private final DerivingStore store;
    private @Nullable BatchingStateRestoreCallback restoring;

    /** Open and empty. */
    public SimulatedStore(String name, Derivation derivation) {
        store = new DerivingStore(
                name, derivation, (named, derived, context, lock) -> new TreeTable(derivation, entries));
        StateStoreContext context = (StateStoreContext) Proxy.newProxyInstance(
                SimulatedStore.class.getClassLoader(),
                new Class<?>[] {StateStoreContext.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("register")) {
                        restoring = (BatchingStateRestoreCallback) arguments[1];
                    }
                    return null;
                });
        store.init(context, store);
    }

    public DerivingStore store() {
        return store;
    }

    /** All that is stored, derived entries included; a live view. */
    public TreeMap<Bytes, byte[]> entries() {
        return entries;
    }

    public void restore(Collection<KeyValue<byte[], byte[]>> records) {
        Objects.requireNonNull(restoring).restoreAll(records);
    }

    private record TreeTable(Derivation derivation, TreeMap<Bytes, byte[]> entries) implements OpenTable {

        @Override
        public byte @Nullable [] get(Bytes key) {
            return entries.get(key);
        }

        @Override
        public boolean isAbsent(Bytes lookup) {
            return !entries.containsKey(lookup);
        }

        @Override
        public boolean put(Bytes key, byte[] value) {
            return entries.put(key, value) == null && derivation.isLookup(key.get());
        }

        @Override
        public void delete(Bytes key) {
            entries.remove(key);
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to, boolean isForward) {
            return snapshot(entries, from, to, isForward);
        }

        @Override
        public void restoring(boolean isRestoring) {}

        @Override
        public KeyValueIterator<Bytes, byte[]> all() {
            return range(null, null, true);
        }

        @Override
        public long approximateNumEntries() {
            return entries.size();
        }

        @Override
        public void commit(Map<TopicPartition, Long> changelogOffsets) {}

        @Override
        public @Nullable Long committedOffset(TopicPartition partition) {
            return null;
        }

        @Override
        public void close() {}
    }

    /** Like an iterator of RocksDB it shows what was there when it was opened. */
    @SuppressWarnings("unchecked")
    public static KeyValueIterator<Bytes, byte[]> snapshot(
            TreeMap<Bytes, byte[]> entries, @Nullable Bytes from, @Nullable Bytes to, boolean isForward) {
        var within = from == null ? entries : entries.tailMap(from, true);
        within = to == null ? within : within.headMap(to, true);
        KeyValue<Bytes, byte[]>[] found = new KeyValue[4];
        int count = 0;
        Iterator<Map.Entry<Bytes, byte[]>> all =
                (isForward ? within : within.descendingMap()).entrySet().iterator();
        while (all.hasNext()) {
            if (count == found.length) {
                found = java.util.Arrays.copyOf(found, 2 * count);
            }
            Map.Entry<Bytes, byte[]> entry = all.next();
            found[count++] = KeyValue.pair(entry.getKey(), entry.getValue());
        }
        return new Snapshot(found, count);
    }

    private static final class Snapshot implements KeyValueIterator<Bytes, byte[]> {

        private final KeyValue<Bytes, byte[]>[] entries;
        private final int count;
        private int next;

        Snapshot(KeyValue<Bytes, byte[]>[] entries, int count) {
            this.entries = entries;
            this.count = count;
        }

        @Override
        public boolean hasNext() {
            return next < count;
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            return entries[next++];
        }

        @Override
        public Bytes peekNextKey() {
            return entries[next].key;
        }

        @Override
        public void close() {}
    }
}
