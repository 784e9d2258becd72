package dev.ebb.store.rocks;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A key-value store that writes, together with each record, the entries that a {@link Derivation} finds in it. So an
 * index costs nothing in the changelog and exists again after a restoration. Entries are read like records.
 *
 * <p>A put reads nothing, unless another value of the key may have had other entries. A removal needs the record, which
 * its caller has usually just read: the store remembers the records read last.
 *
 * <p>The store manages the offsets of its changelog itself, as all stores will have to. The methods are synchronized:
 * readers on other threads must not touch a table that is being closed.
 */
public final class DerivingStore implements KeyValueStore<Bytes, byte[]> {

    private final String name;
    private final Derivation derivation;
    private final OpenTable.Opener opener;
    private final LastRead lastRead = new LastRead();

    private @Nullable OpenTable openTable;

    /** Creates a closed store; {@link #init} opens it. */
    DerivingStore(String name, Derivation derivation, OpenTable.Opener opener) {
        this.name = name;
        this.derivation = derivation;
        this.opener = opener;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean persistent() {
        return opener.isPersistent();
    }

    @Override
    @SuppressWarnings("deprecation") // new stores must say so until there are no others
    public boolean managesOffsets() {
        return true;
    }

    @Override
    public synchronized boolean isOpen() {
        return openTable != null;
    }

    @Override
    public Position getPosition() {
        return Position.emptyPosition();
    }

    @Override
    public synchronized void init(StateStoreContext context, StateStore root) {
        if (openTable == null) {
            openTable = opener.open(name, derivation, context, this);
        }
        context.register(root, (BatchingStateRestoreCallback) this::restoreAll);
    }

    @Override
    public synchronized void commit(Map<TopicPartition, Long> changelogOffsets) {
        if (openTable != null) {
            openTable.commit(changelogOffsets);
        }
    }

    @Override
    public synchronized @Nullable Long committedOffset(TopicPartition partition) {
        return table().committedOffset(partition);
    }

    /**
     * Closes the store. The store counts as closed even if this fails: its native objects are then freed, too, and must
     * not be used again.
     */
    @Override
    public synchronized void close() {
        OpenTable closing = openTable;
        openTable = null;
        lastRead.clear();
        if (closing != null) {
            closing.close();
        }
    }

    private synchronized void restoreAll(Collection<KeyValue<byte[], byte[]>> records) {
        OpenTable table = table();
        table.restoring(true);
        BiConsumer<byte[], byte @Nullable []> change = (key, value) -> write(table, Bytes.wrap(key), value);
        for (KeyValue<byte[], byte[]> record : records) {
            if (!derivation.expand(record.key, record.value, change)) {
                change.accept(record.key, record.value);
            }
        }
    }

    @Override
    public synchronized void put(Bytes key, byte @Nullable [] value) {
        write(key, value);
    }

    /** Puts the value; returns true if it is known, without a read, that the key had none. */
    public synchronized boolean putNew(Bytes key, byte @Nullable [] value) {
        return write(key, value);
    }

    @Override
    public synchronized byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
        byte[] present = table().get(key);
        if (present == null) {
            write(key, value);
        }
        return present;
    }

    @Override
    public synchronized void putAll(List<KeyValue<Bytes, byte[]>> records) {
        records.forEach(record -> write(record.key, record.value));
    }

    @Override
    public synchronized byte @Nullable [] delete(Bytes key) {
        byte[] present = table().get(key);
        write(key, null);
        return present;
    }

    private boolean write(Bytes key, byte @Nullable [] value) {
        lastRead.beginWriting();
        OpenTable table = table();
        table.restoring(false);
        return write(table, key, value);
    }

    /**
     * Writes the record; returns true if it is new: one of its look-ups was missing, and not because this write had
     * removed it.
     */
    private boolean write(OpenTable table, Bytes key, byte @Nullable [] value) {
        boolean mayLoseEntries = value == null
                ? derivation.isSource(key.get())
                : derivation.mayChange(key.get()) && !isNew(table, key, value);
        boolean hadEntries = mayLoseEntries && removeEntries(table, key);
        if (value == null) {
            table.delete(key);
            return false;
        }
        table.put(key, value);
        boolean[] isNew = {false};
        derivation.derive(
                key.get(), value, (entry, content) -> isNew[0] |= table.put(Bytes.wrap(entry), content.get()));
        return isNew[0] && !hadEntries;
    }

    /**
     * Returns true if the key is certainly new because a look-up is missing: every value of a key has the same
     * look-ups. While records may repeat, a look-up may also be missing because the removal of another key that had it
     * is repeated.
     */
    private boolean isNew(OpenTable table, Bytes key, byte[] value) {
        boolean[] isNew = {false};
        derivation.derive(key.get(), value, (entry, content) -> {
            isNew[0] |= derivation.isLookup(entry) && table.isAbsent(Bytes.wrap(entry));
        });
        return isNew[0] && !table.mayRepeat();
    }

    private boolean removeEntries(OpenTable table, Bytes key) {
        byte[] read = lastRead.remove(key);
        byte[] former = read == null ? table.get(key) : read;
        if (former != null) {
            derivation.derive(key.get(), former, (entry, content) -> table.delete(Bytes.wrap(entry)));
        }
        return former != null;
    }

    @Override
    public synchronized byte @Nullable [] get(Bytes key) {
        byte[] value = table().get(key);
        if (value != null) {
            remember(key, value);
        }
        return value;
    }

    /** Remembers the value if the key has equal entries under every value, so that an older value serves as well. */
    private void remember(Bytes key, byte[] value) {
        if (derivation.isSource(key.get()) && !derivation.mayChange(key.get())) {
            lastRead.put(key, value);
        }
    }

    @Override
    public synchronized KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
        return new Remembering(table().range(from, to, true));
    }

    @Override
    public synchronized KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
        return new Remembering(table().range(from, to, false));
    }

    /** Returns all records and entries, in no particular order. */
    @Override
    public synchronized KeyValueIterator<Bytes, byte[]> all() {
        return table().all();
    }

    @Override
    public synchronized long approximateNumEntries() {
        return table().approximateNumEntries();
    }

    private OpenTable table() {
        if (openTable == null) {
            throw new InvalidStateStoreException("store " + name + " is closed");
        }
        return openTable;
    }

    /** An iterator whose records are remembered. */
    private final class Remembering implements KeyValueIterator<Bytes, byte[]> {

        private final KeyValueIterator<Bytes, byte[]> entries;

        Remembering(KeyValueIterator<Bytes, byte[]> entries) {
            this.entries = entries;
        }

        @Override
        public boolean hasNext() {
            return entries.hasNext();
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            KeyValue<Bytes, byte[]> entry = entries.next();
            synchronized (DerivingStore.this) {
                remember(entry.key, entry.value);
            }
            return entry;
        }

        @Override
        public Bytes peekNextKey() {
            return entries.peekNextKey();
        }

        @Override
        public void close() {
            entries.close();
        }
    }
}
