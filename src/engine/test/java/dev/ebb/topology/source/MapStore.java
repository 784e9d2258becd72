package dev.ebb.topology.source;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** A store in memory that needs no task. */
final class MapStore implements KeyValueStore<Bytes, byte[]> {

    private final TreeMap<Bytes, byte[]> entries = new TreeMap<>();

    @Override
    public void put(Bytes key, byte[] value) {
        entries.put(key, value);
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        return entries.putIfAbsent(key, value);
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> all) {
        all.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte[] delete(Bytes key) {
        return entries.remove(key);
    }

    @Override
    public byte[] get(Bytes key) {
        return entries.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        Iterator<Map.Entry<Bytes, byte[]>> all = Map.copyOf(entries).entrySet().iterator();
        return new KeyValueIterator<>() {
            @Override
            public void close() {}

            @Override
            public Bytes peekNextKey() {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean hasNext() {
                return all.hasNext();
            }

            @Override
            public KeyValue<Bytes, byte[]> next() {
                Map.Entry<Bytes, byte[]> entry = all.next();
                return KeyValue.pair(entry.getKey(), entry.getValue());
            }
        };
    }

    @Override
    public long approximateNumEntries() {
        return entries.size();
    }

    @Override
    public String name() {
        return TableMemory.STORE;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {}

    @Override
    public void flush() {}

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
}
