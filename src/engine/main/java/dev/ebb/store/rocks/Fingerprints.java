package dev.ebb.store.rocks;

import java.security.SecureRandom;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * A fingerprint of 42 bits of each key that was added and not removed again, as often as it was added: a key that is
 * not {@linkplain #mayContain contained} was not added. A key that was not added is contained with a probability of the
 * number of keys in 2<sup>42</sup>.
 *
 * <p>10 bits choose one of many small hash tables with linear probing, 32 bits lie in it. So a table that grows or
 * shrinks costs the writer a few hundred microseconds and never a pause, and a fingerprint takes 5 to 11 bytes: tables
 * become twice as large, or, where memory is scarce, larger by an eighth, and then denser. One that cannot grow even so
 * is forgotten, and others grow with its memory: when there are more keys than it suffices for, some part of them is
 * known as before, and nothing is known of the others. The hash has a seed of its own in each process, so an author of
 * keys cannot choose where they fall. Not thread-safe.
 */
final class Fingerprints {

    private static final int TABLE_BITS = 10;
    private static final int FIRST_SLOTS = 16;
    private static final int EMPTY = 0;

    /**
     * Load of a table before it grows, and load of one that cannot: a search for a missing key then takes 33 slots
     * (Knuth, The Art of Computer Programming 6.4, linear probing), which lie in two or three lines of a processor's
     * cache.
     */
    private static final int USUAL_EIGHTHS = 6;

    private static final int DENSE_EIGHTHS = 7;

    /** Slots of a table that has held nothing yet; never written to. */
    private static final int[] NO_SLOTS = {EMPTY, EMPTY};

    /** Slots of a table for which there was no memory, so that nothing is known of its keys; never written to. */
    private static final int[] FORGOTTEN = {EMPTY, EMPTY};

    private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();
    private static final long SEED = new SecureRandom().nextLong();

    private final int[][] tables = new int[1 << TABLE_BITS][];
    private final int[] sizes = new int[1 << TABLE_BITS];

    /** Number of slots of each table; kept here, since asking the table itself means waiting for it twice. */
    private final int[] lengths = new int[1 << TABLE_BITS];

    private final SharedMemory memory;
    private int forgotten;

    /** An empty set, which takes the memory that it needs from the given one. */
    Fingerprints(SharedMemory memory) {
        this.memory = memory;
        for (int table = 0; table < tables.length; table++) {
            set(table, NO_SLOTS);
        }
    }

    /** Returns true if the key was added, or nothing is known of it. */
    boolean mayContain(byte[] key) {
        long hash = hash(key);
        int table = tableOf(hash);
        return tables[table] == FORGOTTEN || tables[table][slotOf(table, printOf(hash))] != EMPTY;
    }

    /** Returns true if anything is known of the key. */
    boolean knows(byte[] key) {
        return tables[tableOf(hash(key))] != FORGOTTEN;
    }

    /** Returns true if nothing is known of any key. */
    boolean knowsNothing() {
        return forgotten == tables.length;
    }

    /** Adds the key; nothing is known of it, and of some others, if there is no memory for that. */
    void add(byte[] key) {
        long hash = hash(key);
        add(tableOf(hash), printOf(hash));
    }

    /**
     * Adds the key if it was certainly not there, and returns whether that was so; looks it up only once, since the
     * look-up is the costly part. Without enough memory the key is not added, and nothing is known of it.
     */
    boolean addIfAbsent(byte[] key) {
        long hash = hash(key);
        int table = tableOf(hash);
        int[] slots = tables[table];
        if (slots == FORGOTTEN) {
            return false;
        }
        int slot = slotOf(table, printOf(hash));
        if (slots[slot] != EMPTY) {
            return false;
        }
        if (hasRoomAt(USUAL_EIGHTHS, table)) {
            slots[slot] = printOf(hash);
            sizes[table]++;
        } else {
            add(table, printOf(hash));
        }
        return true;
    }

    private void add(int table, int print) {
        if (tables[table] != FORGOTTEN && makeRoom(table)) {
            insert(tables[table], print);
            sizes[table]++;
        }
    }

    /** Takes back one addition of the key; does nothing if the key is not there or nothing is known of it. */
    void remove(byte[] key) {
        long hash = hash(key);
        int table = tableOf(hash);
        int[] slots = tables[table];
        int slot = slotOf(table, printOf(hash));
        if (slots[slot] == EMPTY) {
            return;
        }
        vacate(slots, slot);
        sizes[table]--;
        if (sizes[table] < slots.length / 8 && slots.length > FIRST_SLOTS) {
            int[] half = rehashed(slots, Math.max(FIRST_SLOTS, slots.length / 2));
            set(table, half);
            memory.releaseForLookups(bytes(slots.length - half.length));
        }
    }

    /** Gives all memory back and knows nothing any more. */
    void release() {
        for (int table = 0; table < tables.length; table++) {
            if (tables[table] != FORGOTTEN) {
                forget(table);
            }
        }
    }

    /** Returns true if the table has room for one more now; it is forgotten if there is no memory for that. */
    private boolean makeRoom(int table) {
        if (hasRoomAt(USUAL_EIGHTHS, table)) {
            return true;
        }
        int[] slots = tables[table];
        int before = slots == NO_SLOTS ? 0 : slots.length;
        int more = Math.max(FIRST_SLOTS, memory.isScarceForLookups() ? before / 8 : before);
        if (memory.reserveForLookups(bytes(more))) {
            set(table, rehashed(slots, before + more));
            return true;
        }
        if (hasRoomAt(DENSE_EIGHTHS, table)) {
            return true;
        }
        forget(table);
        return false;
    }

    private void forget(int table) {
        if (tables[table] != NO_SLOTS) {
            memory.releaseForLookups(bytes(tables[table].length));
        }
        set(table, FORGOTTEN);
        forgotten++;
    }

    private void set(int table, int[] slots) {
        tables[table] = slots;
        lengths[table] = slots.length;
    }

    private boolean hasRoomAt(int eighths, int table) {
        int[] slots = tables[table];
        return slots != NO_SLOTS && (sizes[table] + 1) * 8L <= (long) slots.length * eighths;
    }

    private static int[] rehashed(int[] before, int slotCount) {
        int[] after = new int[slotCount];
        for (int print : before) {
            if (print != EMPTY) {
                insert(after, print);
            }
        }
        return after;
    }

    private static void insert(int[] slots, int print) {
        int slot = homeIn(slots.length, print);
        while (slots[slot] != EMPTY) {
            slot = next(slots, slot);
        }
        slots[slot] = print;
    }

    /** The slot that holds the fingerprint, or the empty one that ends the search. */
    private int slotOf(int table, int print) {
        int[] slots = tables[table];
        int slot = homeIn(lengths[table], print);
        while (slots[slot] != EMPTY && slots[slot] != print) {
            slot = next(slots, slot);
        }
        return slot;
    }

    /** Moves up the fingerprints that would not be found behind an empty slot. */
    private static void vacate(int[] slots, int slot) {
        int hole = slot;
        for (int at = next(slots, slot); slots[at] != EMPTY; at = next(slots, at)) {
            int home = homeIn(slots.length, slots[at]);
            if (distance(slots, home, at) >= distance(slots, hole, at)) {
                slots[hole] = slots[at];
                hole = at;
            }
        }
        slots[hole] = EMPTY;
    }

    private static int next(int[] slots, int slot) {
        return slot + 1 == slots.length ? 0 : slot + 1;
    }

    private static int distance(int[] slots, int from, int to) {
        return to >= from ? to - from : to - from + slots.length;
    }

    /** Slot as far into the table as the print is into all, so that a table of any size fills from another in order. */
    private static int homeIn(int length, int print) {
        return (int) ((Integer.toUnsignedLong(print) * length) >>> Integer.SIZE);
    }

    private static long hash(byte[] key) {
        return HASH.hash(key, 0, key.length, SEED);
    }

    private static int tableOf(long hash) {
        return (int) (hash >>> (Long.SIZE - TABLE_BITS));
    }

    private static int printOf(long hash) {
        int print = (int) hash;
        return print == EMPTY ? 1 : print;
    }

    private static long bytes(int slots) {
        return (long) slots * Integer.BYTES;
    }
}
