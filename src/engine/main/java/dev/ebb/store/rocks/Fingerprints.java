package dev.ebb.store.rocks;

import java.security.SecureRandom;
import java.util.Arrays;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * A multiset of 36-bit fingerprints of the keys that were added and not removed again: a key that is not {@linkplain
 * #mayContain contained} was not added. The probability that a key is contained without having been added is the number
 * of keys divided by 2<sup>36</sup>, which is 1 in 1100 for 60 million keys.
 *
 * <p>10 bits choose one of many small tables, 26 bits are stored in it, so a table that grows or shrinks costs the
 * writer less than a millisecond and never a pause. The more fingerprints there are, the fewer bits each one takes: 2
 * to 5 bytes in tables that double in size, and, if memory is scarce, about 2 bytes in tables that grow by an eighth
 * and are denser. A table that cannot grow even then is forgotten, and others grow with its memory. So with more keys
 * than the memory suffices for, some part of them is known as before, and nothing is known of the others. The hash has
 * its own seed in each process, so an author of keys cannot choose where they fall. Not thread-safe.
 */
final class Fingerprints {

    private static final int TABLE_BITS = 10;
    private static final int FIRST_HOMES = 16;

    /** The load of a table before it grows, followed by the load of a table that cannot grow; in eighths. */
    private static final int USUAL_EIGHTHS = 6;

    private static final int DENSE_EIGHTHS = 7;

    /** A table that has held nothing yet; never written to. */
    private static final PrintTable NOTHING = new PrintTable(1);

    /** A table that had no memory, so that nothing is known of its keys; never written to. */
    private static final PrintTable FORGOTTEN = new PrintTable(1);

    private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();
    private static final long SEED = new SecureRandom().nextLong();

    private final PrintTable[] tables = new PrintTable[1 << TABLE_BITS];
    private final SharedMemory memory;
    private int forgotten;

    /** Creates an empty set that takes its memory from {@code memory}. */
    Fingerprints(SharedMemory memory) {
        this.memory = memory;
        Arrays.fill(tables, NOTHING);
    }

    /** Returns true if the key was added, or nothing is known of it. */
    boolean mayContain(byte[] key) {
        long hash = hash(key);
        PrintTable table = tables[tableOf(hash)];
        return table == FORGOTTEN || table.contains(printOf(hash));
    }

    /** Returns true if anything is known of the key. */
    boolean knows(byte[] key) {
        return tables[tableOf(hash(key))] != FORGOTTEN;
    }

    /** Returns true if nothing is known of any key. */
    boolean knowsNothing() {
        return forgotten == tables.length;
    }

    /** Adds the key. If there is no memory for it, nothing is known of the key and of some others. */
    void add(byte[] key) {
        long hash = hash(key);
        add(tableOf(hash), printOf(hash));
    }

    /**
     * Adds the key if it was certainly not there; returns true if so. Without enough memory the key is not added, and
     * nothing is known of it.
     */
    boolean addIfAbsent(byte[] key) {
        long hash = hash(key);
        int table = tableOf(hash);
        if (tables[table] == FORGOTTEN || tables[table].contains(printOf(hash))) {
            return false;
        }
        add(table, printOf(hash));
        return true;
    }

    private void add(int table, int print) {
        if (tables[table] == FORGOTTEN || !makeRoom(table) || tables[table].add(print)) {
            return;
        }
        if (!grow(table) || !tables[table].add(print)) {
            forget(table);
        }
    }

    /** Takes back one addition of the key; does nothing if the key is not there or nothing is known of it. */
    void remove(byte[] key) {
        long hash = hash(key);
        int at = tableOf(hash);
        PrintTable table = tables[at];
        table.remove(printOf(hash));
        if (table.size() < table.homes() / 8 && table.homes() > FIRST_HOMES) {
            resize(at, Math.max(FIRST_HOMES, table.homes() / 2));
        }
    }

    /** Releases all memory and knows nothing any more. */
    void release() {
        for (int table = 0; table < tables.length; table++) {
            if (tables[table] != FORGOTTEN) {
                forget(table);
            }
        }
    }

    /**
     * Returns true if the table has room for one more print; otherwise there was no memory for it, and the table is
     * forgotten.
     */
    private boolean makeRoom(int table) {
        if (hasRoomAt(USUAL_EIGHTHS, table) || grow(table) || hasRoomAt(DENSE_EIGHTHS, table)) {
            return true;
        }
        forget(table);
        return false;
    }

    private boolean grow(int table) {
        int homes = tables[table] == NOTHING ? 0 : tables[table].homes();
        return resize(table, homes + Math.max(FIRST_HOMES, memory.isScarceForLookups() ? homes / 8 : homes));
    }

    /**
     * Changes the number of homes; returns false, and leaves the table as it is, if there is no memory or a print has
     * no place.
     */
    private boolean resize(int table, int homes) {
        long more = PrintTable.bytesOf(homes) - bytesOf(tables[table]);
        if (!memory.reserveForLookups(more)) {
            return false;
        }
        PrintTable other = tables[table].withHomes(homes);
        if (other == null) {
            memory.releaseForLookups(more);
            return false;
        }
        tables[table] = other;
        return true;
    }

    private void forget(int table) {
        memory.releaseForLookups(bytesOf(tables[table]));
        tables[table] = FORGOTTEN;
        forgotten++;
    }

    private boolean hasRoomAt(int eighths, int at) {
        PrintTable table = tables[at];
        return table != NOTHING && (table.size() + 1) * 8L <= (long) table.homes() * eighths;
    }

    private static long bytesOf(PrintTable table) {
        return table == NOTHING ? 0 : PrintTable.bytesOf(table.homes());
    }

    private static long hash(byte[] key) {
        return HASH.hash(key, 0, key.length, SEED);
    }

    private static int tableOf(long hash) {
        return (int) (hash >>> (Long.SIZE - TABLE_BITS));
    }

    private static int printOf(long hash) {
        return (int) hash & ((1 << PrintTable.PRINT_BITS) - 1);
    }
}
