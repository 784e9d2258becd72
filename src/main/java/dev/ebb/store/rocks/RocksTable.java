package dev.ebb.store.rocks;

import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;

/**
 * A table in RocksDB. Writes are gathered in a {@link WriteBuffer}; a look-up of what is not there asks the filters first,
 * since a missed {@code get} of RocksDB throws an exception inside. Under exactly once a table that was not closed cleanly
 * is refused, and Kafka Streams builds it anew from the changelog, like the built-in one.
 */
final class RocksTable implements Table {

    private final Derivation derivation;
    private final Object lock;
    private final Database database;
    private final WriteBuffer buffer;
    private final Set<BoundedIterator> iterators = new LinkedHashSet<>();

    private RocksTable(Derivation derivation, Object lock, Database database) {
        this.derivation = derivation;
        this.lock = lock;
        this.database = database;
        this.buffer = new WriteBuffer(database);
    }

    static RocksTable open(String name, Derivation derivation, StateStoreContext context, Object lock) {
        SharedMemory memory = SharedMemory.in(context.appConfigs());
        Object guarantee = context.appConfigs().get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
        Database database = Database.open(new File(new File(context.stateDir(), "rocksdb"), name), memory);
        if (StreamsConfig.EXACTLY_ONCE_V2.equals(String.valueOf(guarantee)) && database.wasLeftOpen()) {
            // Without a mark of having closed it: whoever looks next must come to the same conclusion.
            database.close();
            throw new TaskCorruptedException(
                    Set.of(context.taskId()), new ProcessorStateException("store " + name + " was not closed cleanly"));
        }
        database.markOpen();
        return new RocksTable(derivation, lock, database);
    }

    @Override
    public byte @Nullable [] get(Bytes key) {
        if (buffer.knows(key)) {
            return buffer.value(key);
        }
        ColumnFamilyHandle family = familyOf(key);
        try {
            return database.db.keyMayExist(family, key.get(), null) ? database.db.get(family, key.get()) : null;
        } catch (RocksDBException e) {
            throw Database.failure(e);
        }
    }

    @Override
    public void put(Bytes key, byte[] value) {
        buffer.put(familyOf(key), key, value);
    }

    @Override
    public void delete(Bytes key) {
        buffer.delete(familyOf(key), key);
    }

    private ColumnFamilyHandle familyOf(Bytes key) {
        return derivation.isLookup(key.get()) ? database.lookups : database.records;
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
                new BoundedIterator(lock, database.db, family, from, to, isForward, iterators::remove);
        iterators.add(iterator);
        return iterator;
    }

    @Override
    public long approximateNumEntries() {
        try {
            return database.db.getLongProperty(database.records, "rocksdb.estimate-num-keys");
        } catch (RocksDBException e) {
            throw Database.failure(e);
        }
    }

    /** What the offsets stand for is written before them. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        buffer.drain();
        if (changelogOffsets.isEmpty()) {
            database.forgetOffsets();
        }
        changelogOffsets.forEach(database::saveOffset);
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition partition) {
        return database.offset(partition);
    }

    @Override
    public void close() {
        new ArrayList<>(iterators).forEach(BoundedIterator::close);
        buffer.drain();
        buffer.close();
        database.markClosed();
        database.close();
    }
}
