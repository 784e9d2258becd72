package dev.ebb.topology.source;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one partition of a table: the newest record of each key that is not Ebb's own, and the stream of its event.
 * Only so can a move be told from an update (F-4), and a record that a tombstone overtook be found (F-7). A key that
 * Ebb or its owner has deleted is forgotten. Not thread-safe.
 */
final class TableMemory {

    /** Name of its store. */
    static final String STORE = "source-rows";

    private static final byte KEY = 'k';
    private static final Bytes TOMBSTONE = Bytes.wrap(new byte[] {'t'});

    private final KeyValueStore<Bytes, byte[]> store;

    TableMemory(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    @Nullable
    TableRow row(byte[] key) {
        byte[] value = store.get(of(key));
        return value == null ? null : TableRow.decode(value);
    }

    /** Keeps the row; one that is gone is forgotten as soon as nothing that was sent again is under way. */
    void put(byte[] key, TableRow row) {
        if (row.isGone() && row.underWay().isEmpty()) {
            store.delete(of(key));
        } else {
            store.put(of(key), row.encode());
        }
    }

    /** Returns the offset of the last tombstone of Ebb that was read; -1 if there was none. */
    long lastTombstone() {
        byte[] value = store.get(TOMBSTONE);
        return value == null ? -1 : ByteBuffer.wrap(value).getLong();
    }

    void tombstone(long offset) {
        store.put(TOMBSTONE, ByteBuffer.allocate(Long.BYTES).putLong(offset).array());
    }

    private static Bytes of(byte[] key) {
        return Bytes.wrap(ByteBuffer.allocate(1 + key.length).put(KEY).put(key).array());
    }
}
