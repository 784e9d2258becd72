package dev.ebb.simulation;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.gather.ChangeLog;
import dev.ebb.store.gather.EventLog;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.rocks.Derivation;
import dev.ebb.store.rocks.DerivingStore;
import dev.ebb.store.rocks.LogEnds;
import dev.ebb.store.rocks.SimulatedStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A store of a task whose changes go to a changelog with the transaction, what is undone before it excepted. */
final class LoggedStore implements KeyValueStore<Bytes, byte[]>, EventLog {

    /** So few that a transaction has more now and then. */
    private static final int GATHERED_BYTES = 20_000;

    private final String name;
    private final SimulatedStore beneath;
    private final DerivingStore store;
    private final List<LogRecord> uncommitted = new ArrayList<>();
    private final ChangeLog log;
    private final LogEnds ends;
    private final BiConsumer<Bytes, byte[]> journal;

    /**
     * @param ends of its changelog
     * @param journal is told of each write
     */
    LoggedStore(String name, Derivation derivation, LogEnds ends, BiConsumer<Bytes, byte[]> journal) {
        this.name = name;
        this.beneath = new SimulatedStore(name, derivation);
        this.store = beneath.store();
        this.ends = ends;
        this.journal = journal;
        this.log = new ChangeLog(
                store,
                Map.of(
                        StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                        // The store of the gate has the changelog of Kafka Streams, which holds nothing back.
                        name.equals(StoreNames.EVENTS) ? StreamsConfig.EXACTLY_ONCE_V2 : StreamsConfig.AT_LEAST_ONCE),
                GATHERED_BYTES,
                (key, value, timestampMs, headers) -> uncommitted.add(new LogRecord(key, value, headers)),
                () -> 0);
    }

    void restore(Collection<KeyValue<byte[], byte[]>> changelog) {
        beneath.restore(changelog);
    }

    /** All that is stored; a live view. */
    TreeMap<Bytes, byte[]> entries() {
        return beneath.entries();
    }

    /** Records since the last call. */
    List<LogRecord> takeUncommitted() {
        log.sendAll();
        List<LogRecord> taken = List.copyOf(uncommitted);
        uncommitted.clear();
        return taken;
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        log.put(key, value);
        journal.accept(key, value);
    }

    @Override
    public void put(@Nullable StreamName stream, Bytes key, byte[] value, Known known) {
        log.put(stream, key, value, known);
        journal.accept(key, value);
    }

    @Override
    public Known leave(Bytes key) {
        journal.accept(key, null);
        return log.leave(key);
    }

    @Override
    public void remove(@Nullable StreamName stream, Bytes key, long storedAt, String id) {
        log.remove(stream, key, storedAt, id);
        journal.accept(key, null);
    }

    @Override
    public void repeat(StreamName stream, Bytes key, byte[] value) {
        log.repeat(stream, key, value);
    }

    @Override
    public void show(StreamName stream, Bytes key, byte[] value) {
        log.show(stream, key, value);
    }

    @Override
    public void sendWaiting() {
        log.sendWaiting();
    }

    @Override
    public void removeRow(StreamName stream, Instant storedAt, String id) {
        log.removeRow(stream, storedAt, id);
    }

    @Override
    public boolean isLong(LongSupplier live) {
        return log.isLong(ends, live);
    }

    @Override
    public boolean snapshot(LongSupplier live, IntFunction<@Nullable StreamName> names, SweepBudget budget) {
        return log.snapshot(ends, live, names, budget);
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
