package dev.ebb.store.rocks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * The changes that a batch of restored records makes. They are gathered and then written in the order of their keys:
 * RocksDB finds the place of a key much faster beside the place of the one before (measured: a quarter of the CPU time of a
 * restored record). What is read meanwhile is what the records of the batch have left until then; that is only remembered
 * where something may read it, which few records do. Not thread-safe.
 */
final class Restoration implements Changes {

    /** Most keys differ in their first bytes, which are compared as one number. */
    private static final Comparator<Change> BY_KEY = (one, other) -> {
        int byStart = Long.compareUnsigned(one.start(), other.start());
        return byStart != 0
                ? byStart
                : Arrays.compareUnsigned(one.key().get(), other.key().get());
    };

    private final Changes table;
    private final Derivation derivation;
    private final boolean hasRemovals;
    private final List<Change> changes;
    private final Map<Bytes, byte @Nullable []> latest = new HashMap<>();
    private final Set<Bytes> asked = new HashSet<>();

    Restoration(Changes table, Derivation derivation, Collection<KeyValue<byte[], byte[]>> records) {
        this.table = table;
        this.derivation = derivation;
        this.hasRemovals = records.stream().anyMatch(record -> record.value == null);
        this.changes = new ArrayList<>(2 * records.size());
    }

    /**
     * A key and what it has from then on.
     *
     * @param start the first eight bytes of the key, zeros behind a shorter one
     * @param value null if it has nothing
     */
    private record Change(long start, Bytes key, byte @Nullable [] value) {

        static Change of(Bytes key, byte @Nullable [] value) {
            byte[] bytes = key.get();
            byte[] start = bytes.length < Long.BYTES ? Arrays.copyOf(bytes, Long.BYTES) : bytes;
            return new Change(ByteBuffer.wrap(start).getLong(), key, value);
        }
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
        return latest.containsKey(key) ? latest.get(key) : table.get(key);
    }

    /** Whoever asks puts it then: it is not known to be absent a second time. */
    @Override
    public boolean isAbsent(Bytes lookup) {
        return asked.add(lookup) && table.isAbsent(lookup);
    }

    @Override
    public void put(Bytes key, byte[] value) {
        change(key, value);
    }

    @Override
    public void delete(Bytes key) {
        change(key, null);
    }

    private void change(Bytes key, byte @Nullable [] value) {
        changes.add(Change.of(key, value));
        boolean mayBeRead = hasRemovals ? derivation.isSource(key.get()) : derivation.mayChange(key.get());
        if (mayBeRead) {
            latest.put(key, value);
        }
    }

    /** Does all of it; what happens to one key stays in its order. */
    void write() {
        changes.sort(BY_KEY);
        for (Change change : changes) {
            if (change.value() == null) {
                table.delete(change.key());
            } else {
                table.put(change.key(), change.value());
            }
        }
    }
}
