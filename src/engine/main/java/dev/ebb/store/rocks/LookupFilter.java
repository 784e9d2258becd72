package dev.ebb.store.rocks;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;

/**
 * Knows in memory which look-up keys are missing, as nearly all that are asked for are: without the filter that
 * question took a sixth of the time of an event. A key that comes is added and one that goes is removed, exactly.
 *
 * <p>Keys that lie in the files when a table is opened are read in small portions while keys are asked for, from the
 * first one on: of keys up to the last one read the filter knows everything, of those behind it nothing. When its
 * memory is used up, it knows nothing of some keys until the table is opened again, and of more of them the more there
 * are; a look-up of these is as slow as without the filter. Not thread-safe.
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

    /** Returns true if the filter can tell whether the key is missing, and must be told of its changes. */
    boolean knows(byte[] key) {
        return isReadTo(key) && fingerprints.knows(key);
    }

    /** Returns true if the key is certainly not there. */
    boolean isAbsent(byte[] key) {
        return isReadTo(key) && !fingerprints.mayContain(key);
    }

    /** Notes that the key has come; returns whether it was certainly not there, else nothing is known of it yet. */
    boolean addedIfAbsent(byte[] key) {
        return isReadTo(key) && fingerprints.addIfAbsent(key);
    }

    /** Notes that the key has come, which was not there. */
    void added(byte[] key) {
        if (isReadTo(key)) {
            fingerprints.add(key);
        }
    }

    /** Notes that the key has gone, which was there. */
    void removed(byte[] key) {
        if (isReadTo(key)) {
            fingerprints.remove(key);
        }
    }

    /** Returns true if the next portion should be read, before which everything must be in the database. */
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

    /** Gives its memory back and knows nothing any more. */
    void close() {
        fingerprints.release();
    }
}
