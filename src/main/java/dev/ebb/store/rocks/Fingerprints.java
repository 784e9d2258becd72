package dev.ebb.store.rocks;

import java.security.SecureRandom;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;
import org.jspecify.annotations.Nullable;

/**
 * A fingerprint of 42 bits of each key that was added and not removed again, as often as it was added: a key that is not
 * {@linkplain #contains contained} was not added. Others are with a probability of their number in 2<sup>42</sup>.
 *
 * <p>10 bits choose one of many small hash tables with linear probing, 32 bits lie in it. So a table that grows or shrinks
 * costs the writer a few hundred microseconds and never a pause, and a fingerprint takes 5 to 11 bytes. The hash has a seed
 * of its own in each process: whoever chooses keys cannot choose where they fall. Not thread-safe.
 */
final class Fingerprints {

    private static final int TABLE_BITS = 10;
    private static final int FIRST_SLOTS = 16;
    private static final int EMPTY = 0;

    /** Of a table that has held nothing yet; never written to. */
    private static final int[] NO_SLOTS = {EMPTY, EMPTY};

    private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();
    private static final long SEED = new SecureRandom().nextLong();

    private final int[][] tables = new int[1 << TABLE_BITS][];
    private final int[] sizes = new int[1 << TABLE_BITS];

    /** How far a fingerprint is shifted to its home; here, since asking the table itself means waiting for it twice. */
    private final byte[] shifts = new byte[1 << TABLE_BITS];

    private final SharedMemory memory;

    /** Empty; takes what it needs from that memory. */
    Fingerprints(SharedMemory memory) {
        this.memory = memory;
        for (int table = 0; table < tables.length; table++) {
            set(table, NO_SLOTS);
        }
    }

    boolean contains(byte[] key) {
        long hash = hash(key);
        int table = tableOf(hash);
        return tables[table][slotOf(table, printOf(hash))] != EMPTY;
    }

    /** Returns false if there is no memory left for it; it was not added then. */
    boolean add(byte[] key) {
        return add(hash(key));
    }

    /** Adds the key if it is not {@linkplain #contains contained}; looks it up once, which is what costs. */
    Outcome addIfAbsent(byte[] key) {
        long hash = hash(key);
        int table = tableOf(hash);
        int[] slots = tables[table];
        int slot = slotOf(table, printOf(hash));
        if (slots[slot] != EMPTY) {
            return Outcome.CONTAINED;
        }
        if (!hasRoom(table)) {
            return add(hash) ? Outcome.ADDED : Outcome.NO_MEMORY;
        }
        slots[slot] = printOf(hash);
        sizes[table]++;
        return Outcome.ADDED;
    }

    private boolean add(long hash) {
        int table = tableOf(hash);
        int[] slots = roomy(table);
        if (slots == null) {
            return false;
        }
        insert(slots, printOf(hash));
        sizes[table]++;
        return true;
    }

    /** Takes back what was added once; does nothing if the key is not {@linkplain #contains contained}. */
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
            set(table, rehashed(slots, slots.length / 2));
            memory.releaseForLookups(bytes(slots.length / 2));
        }
    }

    /** Gives all memory back; nothing may be asked of it any more. */
    void release() {
        for (int[] slots : tables) {
            if (slots != NO_SLOTS) {
                memory.releaseForLookups(bytes(slots.length));
            }
        }
    }

    /** The table with room for one more; null if there is no memory for that. */
    private int @Nullable [] roomy(int table) {
        int[] slots = tables[table];
        if (hasRoom(table)) {
            return slots;
        }
        boolean isNew = slots == NO_SLOTS;
        int slotCount = isNew ? FIRST_SLOTS : 2 * slots.length;
        if (!memory.reserveForLookups(bytes(isNew ? slotCount : slotCount - slots.length))) {
            return null;
        }
        set(table, rehashed(slots, slotCount));
        return tables[table];
    }

    private void set(int table, int[] slots) {
        tables[table] = slots;
        shifts[table] = (byte) shiftOf(slots);
    }

    private boolean hasRoom(int table) {
        int[] slots = tables[table];
        return slots != NO_SLOTS && (sizes[table] + 1) * 4L <= slots.length * 3L;
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
        int slot = homeOf(slots, print);
        while (slots[slot] != EMPTY) {
            slot = next(slots, slot);
        }
        slots[slot] = print;
    }

    /** The slot that holds the fingerprint, or the empty one that ends the search. */
    private int slotOf(int table, int print) {
        int[] slots = tables[table];
        int slot = print >>> shifts[table];
        while (slots[slot] != EMPTY && slots[slot] != print) {
            slot = next(slots, slot);
        }
        return slot;
    }

    /** Moves up what would not be found behind an empty slot. */
    private static void vacate(int[] slots, int slot) {
        int hole = slot;
        for (int at = next(slots, slot); slots[at] != EMPTY; at = next(slots, at)) {
            int mask = slots.length - 1;
            int fromHome = (at - homeOf(slots, slots[at])) & mask;
            int fromHole = (at - hole) & mask;
            if (fromHome >= fromHole) {
                slots[hole] = slots[at];
                hole = at;
            }
        }
        slots[hole] = EMPTY;
    }

    private static int next(int[] slots, int slot) {
        return (slot + 1) & (slots.length - 1);
    }

    /** By the highest bits, so that a bigger table can be filled from a smaller one. */
    private static int homeOf(int[] slots, int print) {
        return print >>> shiftOf(slots);
    }

    private static int shiftOf(int[] slots) {
        return Integer.numberOfLeadingZeros(slots.length) + 1;
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

    /** What came of adding a key. */
    enum Outcome {
        /** It was not there and now is. */
        ADDED,
        /** It, or another one with its fingerprint, is there; it was not added. */
        CONTAINED,
        /** There is no memory left for it; it was not added. */
        NO_MEMORY
    }
}
