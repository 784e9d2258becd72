package dev.ebb.topology;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;

/**
 * Signal to a task that a commit is about to come, which Kafka Streams itself does not announce.
 *
 * <p>Before each commit, and within its transaction, Kafka Streams has each store write its cache. This store keeps
 * nothing; an entry in its cache is the request of a task to be called, and the listener may still write to the other
 * stores. The caches of a task are written in the order in which its stores were opened, so this store must be opened
 * first; a test verifies the order.
 *
 * <p>All tasks of an instance share one signal. Thread-safe; a listener is called on the thread of its task.
 */
final class CommitSignal {

    static final String STORE = "commit-signal";

    private static final Bytes KEY = Bytes.wrap(new byte[] {1});
    private static final byte[] VALUE = {1};

    private final Map<TaskId, Runnable> listeners = new ConcurrentHashMap<>();
    private final Set<TaskId> opened = ConcurrentHashMap.newKeySet();

    StoreBuilder<KeyValueStore<Bytes, byte[]>> store() {
        return Stores.keyValueStoreBuilder(supplier(), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingDisabled();
    }

    KeyValueBytesStoreSupplier supplier() {
        return new Supplier();
    }

    /** Returns an action that makes the listener of that task be called before its next commit. */
    Runnable raisedBy(ProcessorContext<?, ?> context) {
        KeyValueStore<Bytes, byte[]> store = context.getStateStore(STORE);
        return () -> store.put(KEY, VALUE);
    }

    /** Returns true if the store of that task has been opened. */
    boolean isOpen(TaskId task) {
        return opened.contains(task);
    }

    /** Sets the listener of that task in place of the former one. */
    void listen(TaskId task, Runnable listener) {
        listeners.put(task, listener);
    }

    void forget(TaskId task) {
        listeners.remove(task);
    }

    private final class Supplier implements KeyValueBytesStoreSupplier {

        @Override
        public String name() {
            return STORE;
        }

        @Override
        public KeyValueStore<Bytes, byte[]> get() {
            return new EmptyStore();
        }

        @Override
        public String metricsScope() {
            return STORE;
        }
    }

    /** Store that keeps nothing: after an entry, it calls the listener before the next commit and forgets the entry. */
    private final class EmptyStore implements KeyValueStore<Bytes, byte[]>, CachedStateStore<byte[], byte[]> {

        private @Nullable TaskId task;
        private boolean isRaised;

        @Override
        public String name() {
            return STORE;
        }

        @Override
        public void init(StateStoreContext context, StateStore root) {
            task = context.taskId();
            isRaised = false;
            opened.add(task);
            context.register(root, (key, value) -> {});
        }

        @Override
        public void put(Bytes key, byte @Nullable [] value) {
            isRaised = true;
        }

        @Override
        public void flushCache() {
            Runnable listener = task == null ? null : listeners.get(task);
            if (isRaised && listener != null) {
                isRaised = false;
                listener.run();
            }
        }

        @Override
        public void clearCache() {
            isRaised = false;
        }

        @Override
        public boolean setFlushListener(CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
            return false;
        }

        @Override
        public byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
            put(key, value);
            return null;
        }

        @Override
        public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
            entries.forEach(entry -> put(entry.key, entry.value));
        }

        @Override
        public byte @Nullable [] delete(Bytes key) {
            put(key, null);
            return null;
        }

        @Override
        public byte @Nullable [] get(Bytes key) {
            return null;
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
            return all();
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> all() {
            throw new UnsupportedOperationException("the store " + STORE + " keeps nothing that could be read");
        }

        @Override
        public long approximateNumEntries() {
            return 0;
        }

        @Override
        public boolean persistent() {
            return false;
        }

        @Override
        public boolean isOpen() {
            return task != null;
        }

        @Override
        public void close() {
            if (task != null) {
                opened.remove(task);
                task = null;
            }
        }
    }
}
