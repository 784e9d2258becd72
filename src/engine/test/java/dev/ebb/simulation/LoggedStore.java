package dev.ebb.simulation;

import dev.ebb.store.gather.Gathered;
import dev.ebb.store.rocks.Derivation;
import dev.ebb.store.rocks.DerivingStore;
import dev.ebb.store.rocks.SimulatedStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A store of a task whose changes go to a changelog with the transaction, what is undone before it excepted. */
final class LoggedStore implements KeyValueStore<Bytes, byte[]> {

    /** So few that a transaction has more now and then. */
    private static final int GATHERED_BYTES = 20_000;

    private static final Headers NO_HEADERS = new RecordHeaders();

    private final String name;
    private final SimulatedStore beneath;
    private final DerivingStore store;
    private final List<KeyValue<byte[], byte[]>> uncommitted = new ArrayList<>();
    private final Gathered gathered = Gathered.of(
            Map.of(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2),
            GATHERED_BYTES,
            (key, value, timestampMs, headers) -> uncommitted.add(KeyValue.pair(key, value)));
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
        gathered.sendAll();
        List<KeyValue<byte[], byte[]>> taken = List.copyOf(uncommitted);
        uncommitted.clear();
        return taken;
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        gathered.add(key.get(), value, 0, NO_HEADERS, store.putNew(key, value));
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
