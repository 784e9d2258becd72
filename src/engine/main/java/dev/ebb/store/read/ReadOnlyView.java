package dev.ebb.store.read;

import dev.ebb.store.layout.StoreNames;
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
 * A view of a store that rejects writes, for readers that run a sweep on a shadow of a stream. As thread-safe as the
 * store beneath.
 */
public final class ReadOnlyView implements KeyValueStore<Bytes, byte[]> {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> shown;

    public ReadOnlyView(ReadOnlyKeyValueStore<Bytes, byte[]> shown) {
        this.shown = shown;
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
        return shown.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
        return shown.range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
        return shown.reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        throw new UnsupportedOperationException("nothing is ever read from its beginning to its end");
    }

    @Override
    public long approximateNumEntries() {
        return shown.approximateNumEntries();
    }

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        throw readOnly();
    }

    @Override
    public byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
        throw readOnly();
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        throw readOnly();
    }

    @Override
    public byte @Nullable [] delete(Bytes key) {
        throw readOnly();
    }

    @Override
    public String name() {
        return StoreNames.EVENTS;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        throw readOnly();
    }

    @Override
    public void close() {
        throw readOnly();
    }

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    private static UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("readers change nothing");
    }
}
