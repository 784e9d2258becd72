package dev.ebb.store.rocks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Changes that have not reached the database yet. They are written together, which costs less than one by one. A read
 * of a key must first ask here whether there is {@link #held a change}, and a read of more than one key must {@link
 * #drain} first. A loss of the changes does no harm: offsets are written after them, and everything after the offsets
 * is restored.
 *
 * <p>Look-ups come in no order and are written in the order of their keys, after the records but in the same batch:
 * RocksDB then finds the place of each one near that of the previous one. A long run of deleted records with nothing
 * between them is deleted as a range: a sweep deletes from the head of a stream on. Not thread-safe.
 */
final class WriteBuffer {

    /**
     * The most changes: sorted look-ups profit from many, but a slice must not wait long for them; this many take some
     * milliseconds.
     */
    private static final int MAX_CHANGES = 2048;

    private static final int MAX_BYTES = 1 << 20;

    /**
     * The number of records in a row from which on they are deleted as a range. Each iterator sorts the ranges in
     * RocksDB's write buffer, so they must stay few.
     */
    static final int MIN_RUN = 256;

    /** Twice the most changes, so that a search ends soon; a power of two. */
    private static final int SLOTS = 2 * MAX_CHANGES;

    private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();

    private final Database database;
    private final int lookupFamily;
    private final List<Change> records = new ArrayList<>();
    private final List<Change> lookups = new ArrayList<>();

    /** The last change of each key, at the slot of its hash or in the next free one after it. */
    private final @Nullable Change[] latest = new Change[SLOTS];

    private int bytes = BatchBytes.HEADER_BYTES;

    WriteBuffer(Database database) {
        this.database = database;
        this.lookupFamily = database.lookups.getID();
    }

    /**
     * The content of a key after the change.
     *
     * @param value the value; null if the key has none
     * @param isInRun true if this change and the previous change of a record are deletions with nothing between the two
     *     keys
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Change(byte[] key, byte @Nullable [] value, boolean isInRun) {

        private static final Comparator<Change> BY_KEY = (one, other) -> Arrays.compareUnsigned(one.key, other.key);
    }

    /** Sets the value of a record or look-up; null deletes it. Neither array may be changed afterwards. */
    void change(boolean isLookup, byte[] key, byte @Nullable [] value) {
        change(isLookup, new Change(key, value, false));
    }

    /** Deletes the record; nothing lies between it and {@link #lastDeleted}. */
    void deleteNext(byte[] key) {
        change(false, new Change(key, null, true));
    }

    private void change(boolean isLookup, Change change) {
        byte[] key = change.key;
        (isLookup ? lookups : records).add(change);
        latest[slotOf(key)] = change;
        bytes += BatchBytes.sizeOf(isLookup ? lookupFamily : BatchBytes.FIRST_FAMILY, key, change.value);
        if (size() >= MAX_CHANGES || bytes >= MAX_BYTES) {
            drain();
        }
    }

    /**
     * Returns the key of the record deleted last; null if the last change of a record was no deletion or has been
     * drained.
     */
    byte @Nullable [] lastDeleted() {
        Change last = records.isEmpty() ? null : records.get(records.size() - 1);
        return last == null || last.value != null ? null : last.key;
    }

    /** Returns the last change of the record or look-up; null if there is none here and the database has the value. */
    @Nullable
    Change held(byte[] key) {
        return latest[slotOf(key)];
    }

    private int slotOf(byte[] key) {
        int slot = (int) HASH.hash(key, 0, key.length, 0) & (SLOTS - 1);
        Change change = latest[slot];
        while (change != null && !Arrays.equals(change.key, key)) {
            slot = (slot + 1) & (SLOTS - 1);
            change = latest[slot];
        }
        return slot;
    }

    private int size() {
        return records.size() + lookups.size();
    }

    /** Writes all changes to the database. */
    void drain() {
        if (size() == 0) {
            return;
        }
        try (WriteBatch batch = new WriteBatch(toBatch())) {
            database.db.write(database.writeOptions, batch);
        } catch (RocksDBException e) {
            throw database.failure(e);
        }
        records.clear();
        lookups.clear();
        Arrays.fill(latest, null);
        bytes = BatchBytes.HEADER_BYTES;
    }

    /** Returns the changes as RocksDB reads them; several changes of one key keep their order. */
    byte[] toBatch() {
        BatchBytes batch = new BatchBytes(bytes);
        int begin = 0;
        while (begin < records.size()) {
            int end = endOfRun(begin);
            if (end - begin >= MIN_RUN) {
                batch.deleteRange(records.get(begin).key, records.get(end - 1).key);
            } else {
                addEach(batch, BatchBytes.FIRST_FAMILY, records.subList(begin, end));
            }
            begin = end;
        }
        lookups.sort(Change.BY_KEY);
        addEach(batch, lookupFamily, lookups);
        return batch.toBytes();
    }

    private int endOfRun(int begin) {
        int end = begin + 1;
        while (end < records.size() && records.get(end).isInRun) {
            end++;
        }
        return end;
    }

    private static void addEach(BatchBytes batch, int family, List<Change> changes) {
        for (Change change : changes) {
            batch.add(family, change.key, change.value);
        }
    }
}
