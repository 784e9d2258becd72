package dev.ebb.store.rocks;

import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * Iterates over the records between two keys, both included, as they were when the iterator was opened. RocksDB knows
 * both bounds, so it never steps over records that were deleted beyond them, and nothing is read before it is
 * needed. Closed with its store. All calls take the lock of the store, since a closed database must not be touched.
 */
final class BoundedIterator implements KeyValueIterator<Bytes, byte[]> {

    private final Object lock;
    private final Database database;
    private final boolean isForward;
    private final long version;
    private final Consumer<BoundedIterator> onClose;
    private final ReadOptions options = new ReadOptions();
    private final @Nullable Slice lowest;
    private final @Nullable Slice beyond;
    private final RocksIterator entries;
    private byte @Nullable [] last;
    private byte @Nullable [] lastButOne;
    private boolean isBehind;
    private boolean isClosed;

    /** @param version the version of the table, which changes when a record is written but not when one is deleted */
    BoundedIterator(
            Object lock,
            Database database,
            ColumnFamilyHandle family,
            @Nullable Bytes from,
            @Nullable Bytes to,
            boolean isForward,
            long version,
            Consumer<BoundedIterator> onClose) {
        this.lock = lock;
        this.isForward = isForward;
        this.version = version;
        this.onClose = onClose;
        this.lowest = from == null ? null : new Slice(from.get());
        this.beyond = to == null ? null : new Slice(Arrays.copyOf(to.get(), to.get().length + 1));
        this.database = database;
        this.entries = open(family);
    }

    private RocksIterator open(ColumnFamilyHandle family) {
        if (lowest != null) {
            options.setIterateLowerBound(lowest);
        }
        if (beyond != null) {
            options.setIterateUpperBound(beyond);
        }
        RocksIterator opened = database.db.newIterator(family, options);
        if (isForward) {
            opened.seekToFirst();
        } else {
            opened.seekToLast();
        }
        return opened;
    }

    @Override
    public boolean hasNext() {
        synchronized (lock) {
            return isAtEntry();
        }
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
        synchronized (lock) {
            if (!isAtEntry()) {
                throw new NoSuchElementException();
            }
            Bytes key = Bytes.wrap(entries.key());
            byte[] value = entries.value();
            isBehind = true;
            lastButOne = last;
            last = key.get();
            return KeyValue.pair(key, value);
        }
    }

    /**
     * Returns true if the last step led forward from {@code from} to {@code to} and nothing can have come between them
     * since.
     */
    boolean hasStepped(byte[] from, byte[] to, long currentVersion) {
        return isForward
                && version == currentVersion
                && lastButOne != null
                && Arrays.equals(last, to)
                && Arrays.equals(lastButOne, from);
    }

    @Override
    public Bytes peekNextKey() {
        synchronized (lock) {
            if (!isAtEntry()) {
                throw new NoSuchElementException();
            }
            return Bytes.wrap(entries.key());
        }
    }

    private boolean isAtEntry() {
        if (isClosed) {
            throw new InvalidStateStoreException("the store of this iterator was closed");
        }
        if (isBehind) {
            isBehind = false;
            if (isForward) {
                entries.next();
            } else {
                entries.prev();
            }
        }
        return database.isValid(entries);
    }

    @Override
    public void close() {
        synchronized (lock) {
            if (!isClosed) {
                isClosed = true;
                entries.close();
                options.close();
                if (lowest != null) {
                    lowest.close();
                }
                if (beyond != null) {
                    beyond.close();
                }
                onClose.accept(this);
            }
        }
    }
}
