package dev.ebb.simulation;

import dev.ebb.store.rocks.Derivation;
import dev.ebb.store.rocks.SimulatedStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A store of a task whose writes go to a changelog with the transaction. */
final class LoggedStore implements KeyValueStore<Bytes, byte[]> {

    private final String name;
    private final SimulatedStore beneath;
    private final KeyValueStore<Bytes, byte[]> store;
    private final List<KeyValue<byte[], byte[]>> uncommitted = new ArrayList<>();
    private final BiConsumer<Bytes, byte[]> journal;

    /** @param journal is told of each write */
    LoggedStore(String name, Derivation derivation, BiConsumer<Bytes, byte[]> journal) {
        this.name = name;
        this.beneath = new SimulatedStore(name, derivation);
        this.store = beneath.store();
        this.journal = journal;
    }

    void restore(Collection<KeyValue<byte[], byte[]>> changelog) {
        beneath.restore(changelog);
    }

    /** All that is stored; a live view. */
    TreeMap<Bytes, byte[]> entries() {
        return beneath.entries();
    }

    /** Writes since the last call. */
    List<KeyValue<byte[], byte[]>> takeUncommitted() {
        List<KeyValue<byte[], byte[]>> taken = List.copyOf(uncommitted);
        uncommitted.clear();
        return taken;
    }

    boolean hasUncommitted() {
        return !uncommitted.isEmpty();
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        uncommitted.add(KeyValue.pair(key.get(), value));
        store.put(key, value);
        journal.accept(key, value);
    }

    @Override
    public byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
        byte[] present = get(key);
        if (present == null) {
            put(key, value);
        }
        return present;
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        entries.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte @Nullable [] delete(Bytes key) {
        byte[] present = get(key);
        put(key, null);
        return present;
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
        return store.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
        return store.range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
        return store.reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return store.all();
    }

    @Override
    public long approximateNumEntries() {
        return store.approximateNumEntries();
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
        return true;
    }

    @Override
    public boolean isOpen() {
        return true;
    }
}
