package dev.ebb.store.gather;

import dev.ebb.store.rocks.DerivingStore;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
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
 * A {@link DerivingStore} whose changelog is written just before the transaction is committed: an event that comes and
 * goes within one transaction appears on no changelog. Writes and reads go to the store at once. Kafka Streams has each
 * store flush its cache before it ends a transaction, and takes this store for the cache of the changelog.
 */
public final class GatheringStore extends WrappedStateStore<DerivingStore, byte[], byte[]>
        implements KeyValueStore<Bytes, byte[]> {

    private final int maxBytes;
    private @Nullable InternalProcessorContext<?, ?> context;
    private Gathered gathered = new Gathered(0, this::log);

    /** @param maxBytes the most bytes of changes that wait for the commit */
    public GatheringStore(DerivingStore store, int maxBytes) {
        super(store);
        this.maxBytes = maxBytes;
    }

    @Override
    public void init(StateStoreContext newContext, StateStore root) {
        context = (InternalProcessorContext<?, ?>) newContext;
        gathered = Gathered.of(newContext.appConfigs(), maxBytes, this::log);
        super.init(newContext, root);
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        changed(key, value, wrapped().putNew(key, value));
    }

    @Override
    public byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
        byte[] present = wrapped().putIfAbsent(key, value);
        if (present == null) {
            changed(key, value, true);
        }
        return present;
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> records) {
        records.forEach(record -> put(record.key, record.value));
    }

    @Override
    public byte @Nullable [] delete(Bytes key) {
        byte[] former = wrapped().delete(key);
        changed(key, null, false);
        return former;
    }

    private void changed(Bytes key, byte @Nullable [] value, boolean isNew) {
        gathered.add(key.get(), value, context().recordContext().timestamp(), new RecordHeaders(), isNew);
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

    private InternalProcessorContext<?, ?> context() {
        return Objects.requireNonNull(context, "not initialised");
    }

    /** Sends the gathered changes; called before each commit. */
    @Override
    public void flushCache() {
        gathered.sendAll();
    }

    @Override
    public void clearCache() {
        gathered.clear();
    }

    /** Closes the store; changes that are still gathered were not committed. */
    @Override
    public void close() {
        gathered.clear();
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
