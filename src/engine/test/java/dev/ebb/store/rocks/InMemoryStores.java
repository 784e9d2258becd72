package dev.ebb.store.rocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** {@link DerivingStore}s that keep their bytes in memory. */
public final class InMemoryStores {

    private InMemoryStores() {}

    public static KeyValueBytesStoreSupplier supplier(String name, Derivation derivation) {
        return supplier(name, derivation, task -> {});
    }

    /** @param opening is told of the task of each store that is opened */
    public static KeyValueBytesStoreSupplier supplier(String name, Derivation derivation, Consumer<TaskId> opening) {
        return new KeyValueBytesStoreSupplier() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public KeyValueStore<Bytes, byte[]> get() {
                return new DerivingStore(name, derivation, new InMemory(opening));
            }

            @Override
            public String metricsScope() {
                return "in-memory";
            }
        };
    }

    public static DerivingStore closed(String name, Derivation derivation) {
        return new DerivingStore(name, derivation, new InMemory(task -> {}));
    }

    public static DerivingStore open(String name, Derivation derivation) {
        DerivingStore store = closed(name, derivation);
        store.init(new MockProcessorContext<>().getStateStoreContext(), store);
        return store;
    }

    private record InMemory(Consumer<TaskId> opening) implements OpenTable.Opener {

        @Override
        public OpenTable open(String name, Derivation derivation, StateStoreContext context, Object lock) {
            opening.accept(context.taskId());
            return new SortedTable(derivation);
        }

        @Override
        public boolean isPersistent() {
            return false;
        }
    }

    private static final class SortedTable implements OpenTable {

        private final Derivation derivation;
        private final NavigableMap<Bytes, byte[]> entries = new ConcurrentSkipListMap<>();
        private final Map<TopicPartition, Long> offsets = new HashMap<>();

        SortedTable(Derivation derivation) {
            this.derivation = derivation;
        }

        @Override
        public void restoring(boolean isRestoring) {}

        @Override
        public byte[] get(Bytes key) {
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
        public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to, boolean isForward) {
            NavigableMap<Bytes, byte[]> within = from == null ? entries : entries.tailMap(from, true);
            within = to == null ? within : within.headMap(to, true);
            return new ListIterator(isForward ? within : within.descendingMap());
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> all() {
            return range(null, null, true);
        }

        @Override
        public long approximateNumEntries() {
            return entries.size();
        }

        @Override
        public void commit(Map<TopicPartition, Long> changelogOffsets) {
            offsets.putAll(changelogOffsets);
        }

        @Override
        public Long committedOffset(TopicPartition partition) {
            return offsets.get(partition);
        }

        @Override
        public void close() {}
    }

    /** Like an iterator of RocksDB it shows what was there when it was opened. */
    private static final class ListIterator implements KeyValueIterator<Bytes, byte[]> {

        private final List<KeyValue<Bytes, byte[]>> entries = new ArrayList<>();
        private int next;

        ListIterator(Map<Bytes, byte[]> contents) {
            contents.forEach((key, value) -> entries.add(KeyValue.pair(key, value)));
        }

        @Override
        public boolean hasNext() {
            return next < entries.size();
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            return entries.get(next++);
        }

        @Override
        public Bytes peekNextKey() {
            return entries.get(next).key;
        }

        @Override
        public void close() {}
    }
}
