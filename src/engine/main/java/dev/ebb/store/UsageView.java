package dev.ebb.store;

import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.UsageKeys;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The usage within the store of a partition: the records of {@link Range#USAGE}, under the keys that {@link UsageKeys}
 * makes. As thread-safe as the store.
 */
public class UsageView implements ReadOnlyKeyValueStore<Bytes, byte[]> {

    private static final Bytes END = Bytes.wrap(new byte[] {(byte) (Range.USAGE.code() + 1)});

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;

    private UsageView(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    public static ReadOnlyKeyValueStore<Bytes, byte[]> of(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
        return new UsageView(store);
    }

    public static KeyValueStore<Bytes, byte[]> of(KeyValueStore<Bytes, byte[]> store) {
        return new Writable(store);
    }

    private static Bytes within(Bytes key) {
        return EventKeys.withRange(Range.USAGE, key.get());
    }

    private static Bytes from(@Nullable Bytes key) {
        return key == null ? EventKeys.withRange(Range.USAGE, new byte[0]) : within(key);
    }

    private static Bytes to(@Nullable Bytes key) {
        return key == null ? END : within(key);
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
        return store.get(within(key));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
        return new Entries(store.range(from(from), to(to)));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
        return new Entries(store.reverseRange(from(from), to(to)));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return range(null, null);
    }

    /** Returns about the number of all entries of the store. */
    @Override
    public long approximateNumEntries() {
        return store.approximateNumEntries();
    }

    private record Entries(KeyValueIterator<Bytes, byte[]> entries) implements KeyValueIterator<Bytes, byte[]> {

        private static Bytes without(Bytes key) {
            return Bytes.wrap(EventKeys.withoutRange(key));
        }

        @Override
        public boolean hasNext() {
            return entries.hasNext();
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            KeyValue<Bytes, byte[]> entry = entries.next();
            return KeyValue.pair(without(entry.key), entry.value);
        }

        @Override
        public Bytes peekNextKey() {
            return without(entries.peekNextKey());
        }

        @Override
        public void close() {
            entries.close();
        }
    }

    private static final class Writable extends UsageView implements KeyValueStore<Bytes, byte[]> {

        private final KeyValueStore<Bytes, byte[]> store;

        Writable(KeyValueStore<Bytes, byte[]> store) {
            super(store);
            this.store = store;
        }

        @Override
        public void put(Bytes key, byte @Nullable [] value) {
            store.put(within(key), value);
        }

        @Override
        public byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
            return store.putIfAbsent(within(key), value);
        }

        @Override
        public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
            entries.forEach(entry -> put(entry.key, entry.value));
        }

        @Override
        public byte @Nullable [] delete(Bytes key) {
            return store.delete(within(key));
        }

        @Override
        public String name() {
            return store.name();
        }

        @Override
        public void init(StateStoreContext context, StateStore root) {
            throw new UnsupportedOperationException("the store around it is opened");
        }

        @Override
        public boolean persistent() {
            return store.persistent();
        }

        @Override
        public boolean isOpen() {
            return store.isOpen();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException("the store around it is closed");
        }
    }
}
