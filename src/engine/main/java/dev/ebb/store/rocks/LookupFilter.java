package dev.ebb.store.rocks;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;

/**
 * Knows in memory which look-up keys are not there, which is what is asked of nearly all: without it that question was a
 * sixth of the time of an event. A key that comes is added and one that goes is removed, exactly.
 *
 * <p>What lies in the files when a table is opened is read in small portions while keys are asked for, from the first key
 * on: of keys up to the last one that was read it knows everything, of those behind it nothing. When its memory is used up
 * it knows nothing any more of some keys until the table is opened again, and of more of them the more there are; to look
 * those up is as slow as without it. Not thread-safe.
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

    /** Whether it can say of the key that it is not there, and wants to hear of it. */
    boolean knows(byte[] key) {
        return isReadTo(key) && fingerprints.knows(key);
    }

    /** Whether the key is certainly not there. */
    boolean isAbsent(byte[] key) {
        return isReadTo(key) && !fingerprints.mayContain(key);
    }

    /** The key has come. Returns whether it was certainly not there; else nothing is known of it yet. */
    boolean addedIfAbsent(byte[] key) {
        return isReadTo(key) && fingerprints.addIfAbsent(key);
    }

    /** The key has come; it was not there. */
    void added(byte[] key) {
        if (isReadTo(key)) {
            fingerprints.add(key);
        }
    }

    /** The key has gone; it was there. */
    void removed(byte[] key) {
        if (isReadTo(key)) {
            fingerprints.remove(key);
        }
    }

    /** Whether the next portion should be read, before which everything must be in the database. */
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
