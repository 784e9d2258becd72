package dev.ebb.store.rocks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * The changes that a batch of restored records makes. They are gathered and written at the end, so that reading a former
 * value does not each time hand over to the database what was written before. What is read meanwhile is what the records
 * of the batch have left until then; that is only remembered where something may read it, which few records do. Not
 * thread-safe.
 */
final class Restoration implements Changes {

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

    /** A key and what it has from then on; null if it has nothing. */
    private record Change(Bytes key, byte @Nullable [] value) {}

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
        changes.add(new Change(key, value));
        boolean mayBeRead = hasRemovals ? derivation.isSource(key.get()) : derivation.mayChange(key.get());
        if (mayBeRead) {
            latest.put(key, value);
        }
    }

    /** Does all of it, in the order in which it came. */
    void write() {
        for (Change change : changes) {
            if (change.value() == null) {
                table.delete(change.key());
            } else {
                table.put(change.key(), change.value());
            }
        }
    }
}
