package dev.ebb.store.gather;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.store.rocks.DerivingStore;
import dev.ebb.store.rocks.LogEnds;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.WrappedStateStore;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DerivingStore} that writes its changelog itself, through a {@link ChangeLog}, just before the transaction is
 * committed. Writes and reads go to the store at once. Kafka Streams has each store flush its cache before it ends a
 * transaction, and takes this store for the cache of the changelog.
 */
public final class GatheringStore extends WrappedStateStore<DerivingStore, byte[], byte[]>
        implements KeyValueStore<Bytes, byte[]>, EventLog {

    private final int maxBytes;
    private @Nullable InternalProcessorContext<?, ?> context;
    private @Nullable ChangeLog log;
    private @Nullable LogEnds ends;

    /** @param maxBytes the most bytes of changes that wait for the commit */
    public GatheringStore(DerivingStore store, int maxBytes) {
        super(store);
        this.maxBytes = maxBytes;
    }

    @Override
    public void init(StateStoreContext newContext, StateStore root) {
        InternalProcessorContext<?, ?> inside = (InternalProcessorContext<?, ?>) newContext;
        context = inside;
        log = new ChangeLog(wrapped(), newContext.appConfigs(), maxBytes, this::log, () -> inside.recordContext()
                .timestamp());
        super.init(newContext, root);
        ends = CommittedOffsets.in(newContext.appConfigs())
                .ends(new TopicPartition(
                        inside.changelogFor(name()), newContext.taskId().partition()));
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        log().put(key, value);
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
    public void putAll(List<KeyValue<Bytes, byte[]>> records) {
        records.forEach(record -> put(record.key, record.value));
    }

    @Override
    public byte @Nullable [] delete(Bytes key) {
        byte[] former = get(key);
        put(key, null);
        return former;
    }

    @Override
    public void put(@Nullable StreamName stream, Bytes key, byte[] value, Known known) {
        log().put(stream, key, value, known);
    }

    @Override
    public Known leave(Bytes key) {
        return log().leave(key);
    }

    @Override
    public void remove(@Nullable StreamName stream, Bytes key, long storedAt, String id) {
        log().remove(stream, key, storedAt, id);
    }

    @Override
    public void repeat(StreamName stream, Bytes key, byte[] value) {
        log().repeat(stream, key, value);
    }

    @Override
    public void show(StreamName stream, Bytes key, byte[] value) {
        log().show(stream, key, value);
    }

    @Override
    public void sendWaiting() {
        log().sendWaiting();
    }

    @Override
    public void removeRow(StreamName stream, Instant storedAt, String id) {
        log().removeRow(stream, storedAt, id);
    }

    @Override
    public boolean isLong(LongSupplier live) {
        return log().isLong(ends(), live);
    }

    @Override
    public boolean snapshot(LongSupplier live, IntFunction<@Nullable StreamName> names, SweepBudget budget) {
        return log().snapshot(ends(), live, names, budget);
    }

    private void log(byte[] key, byte @Nullable [] value, long timestampMs, Headers headers) {
        context()
                .logChange(
                        name(),
                        Bytes.wrap(key),
                        value,
                        timestampMs,
                        headers,
                        wrapped().getPosition());
    }

    private ChangeLog log() {
        return Objects.requireNonNull(log, "not initialised");
    }

    private LogEnds ends() {
        return Objects.requireNonNull(ends, "not initialised");
    }

    private InternalProcessorContext<?, ?> context() {
        return Objects.requireNonNull(context, "not initialised");
    }

    /** Sends the changes that are held back; called before each commit. */
    @Override
    public void flushCache() {
        log().sendAll();
    }

    @Override
    public void clearCache() {
        log().clear();
    }

    /** Closes the store; changes that are still held back were not committed. */
    @Override
    public void close() {
        if (log != null) {
            log.clear();
        }
        super.close();
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
        return wrapped().get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
        return wrapped().range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
        return wrapped().reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return wrapped().all();
    }

    @Override
    public long approximateNumEntries() {
        return wrapped().approximateNumEntries();
    }
}
