package dev.ebb.store.rocks;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;

/**
 * Knows in memory which look-up keys are missing, as nearly all requested keys are: without the filter, this question
 * took a sixth of the time of an event. Keys that come are added and keys that go are removed, exactly.
 *
 * <p>The filter reads the keys that lie in the files at the opening of a table in small portions, between requests for
 * keys and in ascending order: it knows everything of keys up to the last one read and nothing of later keys. If its
 * memory is used up, it knows nothing of some keys until the table is opened again; the more keys there are, the
 * greater is this part. A look-up of such a key is as slow as without the filter. Not thread-safe.
 */
final class LookupFilter {

    private static final int QUESTIONS_BETWEEN_PORTIONS = 64;
    private static final int PORTION = 512;

    private final Database database;
    private final Fingerprints fingerprints;

    /** The last key that was read from the files; null if none was. */
    private byte @Nullable [] readTo;

    private boolean isRead;
    private int questions;

    LookupFilter(Database database, SharedMemory memory) {
        this.database = database;
        this.fingerprints = new Fingerprints(memory);
        readOn(1);
    }

    /** Returns true if the filter can tell whether the key is missing, and must receive its changes. */
    boolean knows(byte[] key) {
        return isReadTo(key) && fingerprints.knows(key);
    }

    /** Returns true if the key is certainly not there. */
    boolean isAbsent(byte[] key) {
        return isReadTo(key) && !fingerprints.mayContain(key);
    }

    /**
     * Notes that the key has come; returns true if it was certainly not there. Otherwise the filter has yet to learn of
     * the key.
     */
    boolean addedIfAbsent(byte[] key) {
        return isReadTo(key) && fingerprints.addIfAbsent(key);
    }

    /** Notes that the key, which was not there, has come. */
    void added(byte[] key) {
        if (isReadTo(key)) {
            fingerprints.add(key);
        }
    }

    /** Notes that the key, which was there, has gone. */
    void removed(byte[] key) {
        if (isReadTo(key)) {
            fingerprints.remove(key);
        }
    }

    /** Returns true if the next portion should be read. Before that, everything must be in the database. */
    boolean wantsToRead() {
        if (isRead || fingerprints.knowsNothing()) {
            return false;
        }
        questions = (questions + 1) % QUESTIONS_BETWEEN_PORTIONS;
        return questions == 0;
    }

    void readOn() {
        readOn(PORTION);
    }

    private void readOn(int keys) {
        try (ReadOptions options = new ReadOptions().setFillCache(false);
                RocksIterator iterator = database.db.newIterator(database.lookups, options)) {
            if (readTo == null) {
                iterator.seekToFirst();
            } else {
                iterator.seek(Arrays.copyOf(readTo, readTo.length + 1));
            }
            for (int i = 0; i < keys && database.isValid(iterator) && !fingerprints.knowsNothing(); i++) {
                readTo = iterator.key();
                fingerprints.add(readTo);
                iterator.next();
            }
            isRead = !database.isValid(iterator);
        }
    }

    private boolean isReadTo(byte[] key) {
        return isRead || (readTo != null && Arrays.compareUnsigned(key, readTo) <= 0);
    }

    /** Releases its memory and knows nothing any more. */
    void close() {
        fingerprints.release();
    }
}
