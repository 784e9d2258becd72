package dev.ebb.store.gather;

import java.util.Arrays;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Tells whether it pays that changes wait: whether enough of them are replaced or taken back meanwhile. Where caps are full
 * most of them are. Where events stay for days none is, and each that waits is copied by the garbage collector and looked up
 * in vain. Not thread-safe.
 */
final class Payback {

    /** Changes between two decisions. */
    static final int WINDOW = 16_384;

    /** While none waits, one key in so many is watched; a power of two. */
    static final int WATCHED_ONE_IN = 32;

    /** One change in so many that is spared stands for what the others cost. */
    private static final int ENOUGH_ONE_IN = 8;

    /** From fewer on nothing waits; apart from the other limit, so that it does not change its mind all the time. */
    private static final int TOO_FEW_ONE_IN = 16;

    private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();

    private final int window;

    /** Hashes of the newest keys that are watched: those of about a window. */
    private final long[] watched;

    private int size;
    private int next;
    private boolean isWaiting = true;
    private int changes;
    private int spared;

    Payback() {
        this(WINDOW);
    }

    /** @param window changes between two decisions */
    Payback(int window) {
        this.window = window;
        this.watched = new long[window / WATCHED_ONE_IN];
    }

    /** Returns true if changes should wait. */
    boolean isWaiting() {
        return isWaiting;
    }

    /** Counts a change that waits; returns false if none should from now on. */
    boolean waits(boolean isInPlaceOfAnother) {
        spared += isInPlaceOfAnother ? 1 : 0;
        changes++;
        if (changes == window) {
            isWaiting = spared >= window / TOO_FEW_ONE_IN;
            begin();
        }
        return isWaiting;
    }

    /** Counts one that was taken back while it waited. */
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

    /** Forgets the keys: whatever comes now is of another transaction. */
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
