package dev.ebb.store.gather;

import java.util.Arrays;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Decides whether it pays to let changes wait, that is, whether enough of them are replaced or taken back meanwhile. If
 * caps are full, most are. If events stay for days, none is, and the garbage collector copies each waiting change,
 * which is then looked up in vain. Not thread-safe.
 */
final class Payback {

    /** The number of changes between two decisions. */
    static final int WINDOW = 16_384;

    /** While no changes wait, one key in this many is watched; a power of two. */
    static final int WATCHED_ONE_IN = 32;

    /** Waiting begins if at least one change in this many would be spared, which pays for the cost of the others. */
    private static final int ENOUGH_ONE_IN = 8;

    /**
     * Waiting ends if fewer than one change in this many is spared. The two limits differ, so that the decision does
     * not flip back and forth.
     */
    private static final int TOO_FEW_ONE_IN = 16;

    private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();

    private final int window;

    /** The hashes of the newest watched keys, those of about a window. */
    private final long[] watched;

    private int size;
    private int next;
    private boolean isWaiting = true;
    private int changes;
    private int spared;

    Payback() {
        this(WINDOW);
    }

    /** @param window the number of changes between two decisions */
    Payback(int window) {
        this.window = window;
        this.watched = new long[window / WATCHED_ONE_IN];
    }

    /** Returns true if changes should wait. */
    boolean isWaiting() {
        return isWaiting;
    }

    /** Counts a change that waits; returns false if no changes should wait from now on. */
    boolean waits(boolean isInPlaceOfAnother) {
        spared += isInPlaceOfAnother ? 1 : 0;
        changes++;
        if (changes == window) {
            isWaiting = spared >= window / TOO_FEW_ONE_IN;
            begin();
        }
        return isWaiting;
    }

    /** Counts a change that was taken back while it waited. */
    void takenBack() {
        spared++;
    }

    /** Watches a change that does not wait. */
    void passes(byte[] key, boolean isDeleted) {
        if (isDeleted && size == 0) {
            return;
        }
        long hash = HASH.hash(key, 0, key.length, 0);
        if ((hash & (WATCHED_ONE_IN - 1)) != 0) {
            return;
        }
        for (int i = 0; i < size; i++) {
            if (watched[i] == hash) {
                spared++;
                break;
            }
        }
        if (!isDeleted) {
            watch(hash);
        }
    }

    private void watch(long hash) {
        watched[next] = hash;
        next = (next + 1) % watched.length;
        size = Math.min(size + 1, watched.length);
        changes++;
        if (changes == watched.length) {
            isWaiting = spared >= watched.length / ENOUGH_ONE_IN;
            begin();
        }
    }

    /** Forgets the keys: later changes belong to another transaction. */
    void endTransaction() {
        if (size > 0) {
            Arrays.fill(watched, 0, size, 0);
            size = 0;
            next = 0;
        }
    }

    private void begin() {
        endTransaction();
        changes = 0;
        spared = 0;
    }
}
