package dev.ebb.store;

import dev.ebb.store.rocks.Derivation;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A store in memory that counts what is asked of it, as RocksDB would have to do it: a deleted key leaves a tombstone,
 * and an iterator walks over every tombstone on its way. That of the built-in store reads one entry ahead, whatever its
 * upper bound; that of a store with an index, which is ours, goes on when it is asked and no further than its bound
 * . Calls that forbid fail: a look at everything outside of an opening, and {@code delete}, which
 * reads first.
 */
public final class CountingStore implements KeyValueStore<Bytes, byte[]> {

    private final NavigableMap<Bytes, Optional<byte[]>> entries = new ConcurrentSkipListMap<>();
    private final String name;
    private final Derivation derivation;
    private boolean mayReadAll;
    private int openIterators;
    public long gets;
    public long puts;
    public long iterators;
    public long walked;

    /** A store that keeps the index which its records speak of; null for none. */
    public CountingStore(String name, Derivation derivation) {
        this.name = name;
        this.derivation = derivation;
    }

    /** Runs something that may read everything, as an opening of the usage may. */
    public void whileReadingAll(Runnable action) {
        mayReadAll = true;
        action.run();
        mayReadAll = false;
    }

    /** Everything that was asked for, in single steps. */
    public long operations() {
        return gets + puts + iterators + walked;
    }

    public void resetCounts() {
        gets = 0;
        puts = 0;
        iterators = 0;
        walked = 0;
    }

    public int openIterators() {
        return openIterators;
    }

    long size() {
        return entries.values().stream().filter(Optional::isPresent).count();
    }

    /** Contents of the store, read without counting. */
    public NavigableMap<Bytes, byte[]> contents() {
        NavigableMap<Bytes, byte[]> contents = new TreeMap<>();
        entries.forEach((key, value) -> value.ifPresent(bytes -> contents.put(key, bytes)));
        return contents;
    }

    /** Does the work of a compaction. */
    void dropTombstones() {
        entries.values().removeIf(Optional::isEmpty);
    }

    @Override
    public byte[] get(Bytes key) {
        gets++;
        return entries.getOrDefault(key, Optional.empty()).orElse(null);
    }

    @Override
    public void put(Bytes key, byte[] value) {
        puts++;
        byte[] former = entries.getOrDefault(key, Optional.empty()).orElse(null);
        if (derivation != null && former != null) {
            derivation.derive(key.get(), former, (entry, content) -> write(Bytes.wrap(entry), null));
        }
        write(key, value);
        if (derivation != null && value != null) {
            derivation.derive(key.get(), value, (entry, content) -> write(Bytes.wrap(entry), content.get()));
        }
    }

    private void write(Bytes key, byte[] value) {
        if (value != null || entries.containsKey(key)) {
            entries.put(key, Optional.ofNullable(value));
        }
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        if (derivation != null) {
            return new BoundedIterator(entries.subMap(from, true, to, true));
        }
        return new CountingIterator(entries.tailMap(from, true), to, false);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        if (derivation != null) {
            return new BoundedIterator(entries.subMap(from, true, to, true).descendingMap());
        }
        return new CountingIterator(entries.headMap(to, true).descendingMap(), from, true);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        if (!mayReadAll) {
            throw new AssertionError("all() of " + name + " outside of an opening");
        }
        return new CountingIterator(entries, null, false);
    }

    @Override
    public byte[] delete(Bytes key) {
        throw new AssertionError("delete() of " + name + " reads first");
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        throw new AssertionError("putIfAbsent() of " + name + " reads first");
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> pairs) {
        pairs.forEach(pair -> put(pair.key, pair.value));
    }

    @Override
    public long approximateNumEntries() {
        return entries.size();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {}

    @Override
    public void close() {}

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /** Like that of {@link dev.ebb.store.rocks.DerivingStore}: it goes on when it is asked. */
    private class BoundedIterator implements KeyValueIterator<Bytes, byte[]> {

        private final Iterator<Map.Entry<Bytes, Optional<byte[]>>> rest;
        KeyValue<Bytes, byte[]> ready;

        BoundedIterator(NavigableMap<Bytes, Optional<byte[]>> within) {
            rest = within.entrySet().iterator();
            iterators++;
            openIterators++;
        }

        @Override
        public boolean hasNext() {
            if (ready == null) {
                ready = nextLive();
            }
            return ready != null;
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            KeyValue<Bytes, byte[]> current = ready;
            ready = null;
            return current;
        }

        @Override
        public Bytes peekNextKey() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            openIterators--;
        }

        /** The next entry that was not deleted; null if there is none. */
        KeyValue<Bytes, byte[]> nextLive() {
            while (rest.hasNext()) {
                Map.Entry<Bytes, Optional<byte[]>> entry = rest.next();
                walked++;
                if (entry.getValue().isPresent()) {
                    return KeyValue.pair(entry.getKey(), entry.getValue().get());
                }
            }
            return null;
        }
    }

    /** Like the one of Kafka Streams on RocksDB: it goes on before it returns, and looks at its bound after that. */
    private final class CountingIterator extends BoundedIterator {

        private final Bytes bound;
        private final boolean isReverse;
        private KeyValue<Bytes, byte[]> position;

        CountingIterator(NavigableMap<Bytes, Optional<byte[]>> from, Bytes bound, boolean isReverse) {
            super(from);
            this.bound = bound;
            this.isReverse = isReverse;
            this.position = nextLive();
        }

        @Override
        public boolean hasNext() {
            if (ready == null && position != null) {
                ready = position;
                position = nextLive();
                if (!isWithin(ready.key)) {
                    ready = null;
                    position = null;
                }
            }
            return ready != null;
        }

        private boolean isWithin(Bytes key) {
            return bound == null || (isReverse ? key.compareTo(bound) >= 0 : key.compareTo(bound) <= 0);
        }
    }
}
