package dev.ebb.store.rocks;

import dev.ebb.store.rocks.CommittedOffsets.Changelog;
import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table in RocksDB. A {@link WriteBuffer} collects the writes. The {@link LookupFilter} or else RocksDB's filters
 * answer a look-up of a missing key, since a missed {@code get} throws an exception inside. Under exactly once, a table
 * is refused if its files may hold uncommitted data, see {@link Checkpoints}: Kafka Streams then rebuilds it from the
 * changelog.
 */
final class RocksTable implements OpenTable {

    private static final Logger LOG = LoggerFactory.getLogger(RocksTable.class);

    private final Derivation derivation;
    private final Object lock;
    final Database database;
    private final WriteBuffer buffer;
    private final LookupFilter filter;
    private final Checkpoints checkpoints;
    private final CommittedOffsets offsets;
    private final boolean wasFilled;
    private final Set<BoundedIterator> iterators = new LinkedHashSet<>();

    /** The number of records written, without deletions. */
    private long written;

    private boolean isRestoring;
    private boolean isClosed;

    /** Creates a table over an open database, which is closed with the table. */
    RocksTable(Derivation derivation, Object lock, Database database, SharedMemory memory, CommittedOffsets offsets) {
        this.derivation = derivation;
        this.lock = lock;
        this.database = database;
        this.buffer = new WriteBuffer(database);
        this.filter = new LookupFilter(database, memory);
        this.checkpoints = new Checkpoints(database, buffer, memory);
        this.offsets = offsets;
        this.wasFilled = !database.isEmpty();
    }

    static RocksTable open(String name, Derivation derivation, StateStoreContext context, Object lock) {
        File folder = new File(new File(context.stateDir(), "rocksdb"), name);
        SharedMemory memory = SharedMemory.in(context.appConfigs());
        try {
            Database database = Database.open(folder, memory);
            try {
                requireClosed(database, name, context);
                return new RocksTable(derivation, lock, database, memory, CommittedOffsets.in(context.appConfigs()));
            } catch (RuntimeException e) {
                // Closed without the mark of a clean close, so that the next attempt has the same result.
                database.close();
                throw e;
            }
        } catch (DamagedStoreException e) {
            LOG.atWarn().setCause(e).addKeyValue("task", context.taskId()).log("a damaged store is restored");
            throw new TaskCorruptedException(Set.of(context.taskId()), e);
        }
    }

    private static void requireClosed(Database database, String name, StateStoreContext context) {
        if (Guarantee.isExactlyOnce(context.appConfigs()) && database.wasLeftOpen()) {
            throw new TaskCorruptedException(
                    Set.of(context.taskId()), new ProcessorStateException("store " + name + " was not closed cleanly"));
        }
    }

    @Override
    public void restoring(boolean nowRestoring) {
        if (nowRestoring != isRestoring) {
            isRestoring = nowRestoring;
            database.mergeEagerly(!nowRestoring);
        }
        if (nowRestoring) {
            checkpoints.beforeRestoring();
        } else {
            checkpoints.beforeWrite();
        }
    }

    @Override
    public boolean mayRepeat() {
        return isRestoring && wasFilled;
    }

    @Override
    public boolean isAbsent(Bytes lookup) {
        return filter.isAbsent(lookup.get());
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
        byte[] bytes = key.get();
        if (!derivation.isLookup(bytes)) {
            return read(database.records, bytes);
        }
        if (filter.wantsToRead()) {
            buffer.drain();
            filter.readOn();
        }
        return filter.isAbsent(bytes) ? null : lookUp(bytes);
    }

    private byte @Nullable [] lookUp(byte[] key) {
        boolean mayExist = buffer.held(key) != null || database.db.keyMayExist(database.lookups, key, null);
        return mayExist ? read(database.lookups, key) : null;
    }

    private byte @Nullable [] read(ColumnFamilyHandle family, byte[] key) {
        WriteBuffer.Change held = buffer.held(key);
        if (held != null) {
            return held.value();
        }
        try {
            return database.db.get(family, key);
        } catch (RocksDBException e) {
            throw database.failure(e);
        }
    }

    @Override
    public boolean put(Bytes key, byte[] value) {
        byte[] bytes = key.get();
        boolean isLookup = derivation.isLookup(bytes);
        boolean wasAbsent = isLookup && addIfAbsent(bytes);
        if (!isLookup) {
            written++;
        }
        buffer.change(isLookup, bytes, value);
        return wasAbsent;
    }

    private boolean addIfAbsent(byte[] lookup) {
        if (filter.addedIfAbsent(lookup)) {
            return true;
        }
        boolean isAbsent = filter.knows(lookup) && lookUp(lookup) == null;
        if (isAbsent) {
            filter.added(lookup);
        }
        return isAbsent;
    }

    @Override
    public void delete(Bytes key) {
        byte[] bytes = key.get();
        boolean isLookup = derivation.isLookup(bytes);
        if (isLookup) {
            filter.removed(bytes);
        }
        if (!isLookup && isNext(bytes)) {
            buffer.deleteNext(bytes);
        } else {
            buffer.change(isLookup, bytes, null);
        }
    }

    /** Returns true if a walk has just shown that nothing lies between the record deleted last and this one. */
    private boolean isNext(byte[] key) {
        byte[] last = buffer.lastDeleted();
        if (last == null) {
            return false;
        }
        for (BoundedIterator iterator : iterators) {
            if (iterator.hasStepped(last, key, written)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to, boolean isForward) {
        return iterate(database.records, from, to, isForward);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return new ChainedIterator(
                List.of(iterate(database.records, null, null, true), iterate(database.lookups, null, null, true)));
    }

    private BoundedIterator iterate(
            ColumnFamilyHandle family, @Nullable Bytes from, @Nullable Bytes to, boolean isForward) {
        buffer.drain();
        BoundedIterator iterator =
                new BoundedIterator(lock, database, family, from, to, isForward, written, iterators::remove);
        iterators.add(iterator);
        return iterator;
    }

    @Override
    public long approximateNumEntries() {
        try {
            return database.db.getLongProperty(database.records, "rocksdb.estimate-num-keys");
        } catch (RocksDBException e) {
            throw database.failure(e);
        }
    }

    /** Writes the records before the offsets that stand for them. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        database.requireSound();
        checkpoints.commit(changelogOffsets);
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition partition) {
        Changelog changelog = offsets.of(partition);
        checkpoints.follow(partition, changelog);
        changelog.writeWith(this::writeFiles);
        return database.offset(partition);
    }

    private void writeFiles(boolean isAsked) {
        synchronized (lock) {
            if (!isClosed && !database.isDamaged()) {
                if (isAsked) {
                    checkpoints.askForFiles();
                }
                checkpoints.writeFiles();
            }
        }
    }

    @Override
    public void close() {
        isClosed = true;
        new ArrayList<>(iterators).forEach(BoundedIterator::close);
        filter.close();
        try {
            if (!database.isDamaged()) {
                checkpoints.settle();
            }
        } finally {
            checkpoints.close();
            database.close();
        }
    }
}
