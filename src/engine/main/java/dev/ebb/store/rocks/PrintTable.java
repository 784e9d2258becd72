package dev.ebb.store.rocks;

import org.jspecify.annotations.Nullable;

/**
 * A multiset of 26-bit prints that takes 13 to 25 bits for each: the place of a print gives its first bits, so the
 * table stores only the others.
 *
 * <p>A quotient filter (Bender et al., Don't Thrash: How to Cache Your Hash on Flash, VLDB 2012) with two changes. The
 * number of homes need not be a power of two, so a table can grow by an eighth. Prints that do not fit before the end
 * lie in some further slots after it, so no cluster wraps around. Prints lie in ascending order; a run holds the prints
 * of one home, and a cluster is a sequence of runs without an empty slot in between. Not thread-safe.
 */
final class PrintTable {

    static final int PRINT_BITS = 26;

    /** The home at this slot has a run, wherever the run lies. The other two marks concern the print in the slot. */
    private static final int HAS_RUN = 1;

    /** The print is not the first of its run. */
    private static final int CONTINUES = 2;

    private static final int NOT_AT_HOME = 4;
    private static final int MARKS = HAS_RUN | CONTINUES | NOT_AT_HOME;
    private static final int MARK_BITS = 3;

    private final int homes;
    private final int slots;

    /** The slots in sequence. A slot may lie in two words, so there is one word more than the slots need. */
    private final long[] words;

    private final int width;
    private final long mask;

    /** The number of low bits that remainders omit: even so, the remainders of two prints of one home differ. */
    private final int idleBits;

    private int size;

    /**
     * Creates an empty table.
     *
     * @param homes the number of places over which prints are spread, 1 to 2<sup>26</sup>; the prints can exceed it
     *     only by the few slots after the last home
     */
    PrintTable(int homes) {
        this.homes = homes;
        this.slots = slotsOf(homes);
        this.width = widthOf(homes);
        this.mask = (1L << width) - 1;
        this.idleBits = idleBitsOf(homes);
        this.words = new long[wordsOf(homes)];
    }

    /** Returns the memory of a table with this many homes, in bytes, without the overhead of a Java array. */
    static long bytesOf(int homes) {
        return (long) wordsOf(homes) * Long.BYTES;
    }

    int homes() {
        return homes;
    }

    int size() {
        return size;
    }

    boolean contains(int print) {
        return slotOf(print) >= 0;
    }

    /** Adds the print; returns false if it cannot be added because the slots after the last home are full. */
    boolean add(int print) {
        int home = homeOf(print);
        long here = get(home);
        if (isEmpty(here)) {
            set(home, valueOf(print, HAS_RUN));
            size++;
            return true;
        }
        boolean hasRun = (here & HAS_RUN) != 0;
        int run = runOf(home);
        int slot = hasRun ? placeIn(run, remainderOf(print)) : run;
        if (!moveUp(slot)) {
            return false;
        }
        if (hasRun && slot == run) {
            set(slot + 1, get(slot + 1) | CONTINUES);
        }
        int marks = (slot == run ? 0 : CONTINUES) | (slot == home ? 0 : NOT_AT_HOME);
        set(slot, valueOf(print, marks) | (get(slot) & HAS_RUN));
        set(home, get(home) | HAS_RUN);
        size++;
        return true;
    }

    /** Removes the print once; does nothing if it is not there. */
    void remove(int print) {
        int slot = slotOf(print);
        if (slot < 0) {
            return;
        }
        int home = homeOf(print);
        boolean isFirst = !is(slot, CONTINUES);
        boolean isOnly = isFirst && !continuesAt(slot + 1);
        if (isOnly) {
            set(home, get(home) & ~HAS_RUN);
        }
        moveDown(slot, home, isFirst && !isOnly);
        size--;
    }

    /** Returns a table with the same prints and another number of homes; null if they do not fit. */
    @Nullable
    PrintTable withHomes(int number) {
        PrintTable other = new PrintTable(number);
        int home = -1;
        int end = 0;
        for (int slot = 0; slot < slots && end <= other.slots; slot++) {
            long value = get(slot);
            if (!isEmpty(value)) {
                if ((value & CONTINUES) == 0) {
                    home = (value & NOT_AT_HOME) == 0 ? slot : nextWithRun(home);
                }
                end = other.append(this, home, value >>> MARK_BITS, end);
            }
        }
        return end <= other.slots ? other : null;
    }

    /**
     * Appends a print of another table that is not less than any in this one; returns the slot after it, or more than
     * there are slots if it has no place. In a table twice as large the place of a print is twice as far, which saves a
     * division.
     */
    private int append(PrintTable from, int home, long remainder, int end) {
        if (homes == 2 * from.homes) {
            int bits = width - MARK_BITS;
            return append(2 * home + (int) (remainder >>> bits), remainder & ((1L << bits) - 1), end);
        }
        int print = from.printOf(home, remainder);
        return append(homeOf(print), remainderOf(print), end);
    }

    private int append(int home, long remainder, int end) {
        int slot = Math.max(home, end);
        if (slot >= slots) {
            return slots + 1;
        }
        size++;
        long value = remainder << MARK_BITS;
        if (slot == home) {
            set(slot, value | HAS_RUN);
        } else {
            long atHome = get(home);
            boolean hasRun = (atHome & HAS_RUN) != 0;
            set(slot, value | NOT_AT_HOME | (hasRun ? CONTINUES : 0) | (get(slot) & HAS_RUN));
            if (!hasRun) {
                set(home, atHome | HAS_RUN);
            }
        }
        return slot + 1;
    }

    /** Returns the slot of the print; -1 if it is not there. */
    private int slotOf(int print) {
        int home = homeOf(print);
        if (!is(home, HAS_RUN)) {
            return -1;
        }
        long remainder = remainderOf(print);
        int slot = runOf(home);
        long value = get(slot);
        while (value >>> MARK_BITS < remainder && continuesAt(slot + 1)) {
            slot++;
            value = get(slot);
        }
        return value >>> MARK_BITS == remainder ? slot : -1;
    }

    /**
     * Returns the first slot of the home's run, or, if the home has none and its slot is taken, the slot where the run
     * would begin.
     */
    private int runOf(int home) {
        int at = home;
        while (is(at, NOT_AT_HOME)) {
            at--;
        }
        int slot = at;
        while (at < home) {
            do {
                slot++;
            } while (continuesAt(slot));
            do {
                at++;
            } while (at < home && !is(at, HAS_RUN));
        }
        return slot;
    }

    /** Returns the slot in a run before which a print belongs: that of the first print that is not less. */
    private int placeIn(int run, long remainder) {
        int slot = run;
        while (get(slot) >>> MARK_BITS < remainder) {
            slot++;
            if (!continuesAt(slot)) {
                break;
            }
        }
        return slot;
    }

    /** Moves prints up by one, from the slot to the next empty one; returns false if there is none. */
    private boolean moveUp(int slot) {
        int hole = slot;
        while (hole < slots && !isEmpty(get(hole))) {
            hole++;
        }
        if (hole == slots) {
            return false;
        }
        for (int to = hole; to > slot; to--) {
            set(to, (get(to - 1) & ~HAS_RUN) | NOT_AT_HOME | (get(to) & HAS_RUN));
        }
        return true;
    }

    /**
     * Moves prints down by one into the slot.
     *
     * @param isNextFirst true if the next print becomes the first of its run
     */
    private void moveDown(int slot, int homeOfSlot, boolean isNextFirst) {
        int home = homeOfSlot;
        int to = slot;
        boolean isFirst = isNextFirst;
        while (to + 1 < slots && is(to + 1, NOT_AT_HOME)) {
            long value = get(to + 1) & ~(HAS_RUN | NOT_AT_HOME);
            if (isFirst) {
                value &= ~CONTINUES;
                isFirst = false;
            } else if ((value & CONTINUES) == 0) {
                home = nextWithRun(home);
            }
            boolean isAtHome = to == home && (value & CONTINUES) == 0;
            set(to, value | (isAtHome ? 0 : NOT_AT_HOME) | (get(to) & HAS_RUN));
            to++;
        }
        set(to, get(to) & HAS_RUN);
    }

    private int nextWithRun(int home) {
        int next = home + 1;
        while (!is(next, HAS_RUN)) {
            next++;
        }
        return next;
    }

    private boolean continuesAt(int slot) {
        return slot < slots && is(slot, CONTINUES);
    }

    /**
     * Returns true if the slot holds no print. A home whose run was moved up keeps the mark of the run, but then
     * another print lies in its slot.
     */
    private static boolean isEmpty(long value) {
        return (value & MARKS) == 0;
    }

    private boolean is(int slot, int mark) {
        return (get(slot) & mark) != 0;
    }

    private long get(int slot) {
        long bit = (long) slot * width;
        int word = (int) (bit >>> 6);
        int shift = (int) bit & 63;
        return ((words[word] >>> shift) | (words[word + 1] << 1 << (63 - shift))) & mask;
    }

    private void set(int slot, long value) {
        long bit = (long) slot * width;
        int word = (int) (bit >>> 6);
        int shift = (int) bit & 63;
        words[word] = (words[word] & ~(mask << shift)) | (value << shift);
        words[word + 1] = (words[word + 1] & ~(mask >>> 1 >>> (63 - shift))) | (value >>> 1 >>> (63 - shift));
    }

    private long valueOf(int print, int marks) {
        return (remainderOf(print) << MARK_BITS) | marks;
    }

    /**
     * Returns the home that lies as far into the table as the print into all prints, so that homes ascend with prints
     * in a table of any size.
     */
    private int homeOf(int print) {
        return (int) (((long) print * homes) >>> PRINT_BITS);
    }

    /**
     * Returns the rest that the home leaves of a print, without the idle bits; with them, prints of one home differ by
     * at least the number of homes.
     */
    private long remainderOf(int print) {
        return (((long) print * homes) & ((1L << PRINT_BITS) - 1)) >>> idleBits;
    }

    /** Returns the only print with this home and remainder: the least one whose place is not before them. */
    private int printOf(int home, long remainder) {
        long place = ((long) home << PRINT_BITS) + (remainder << idleBits);
        return (int) ((place + homes - 1) / homes);
    }

    private static int idleBitsOf(int homes) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(homes);
    }

    private static int widthOf(int homes) {
        return MARK_BITS + PRINT_BITS - idleBitsOf(homes);
    }

    /**
     * Returns the number of slots. At seven eighths full, a print lies more than a hundred slots after its home once in
     * 10<sup>11</sup>.
     */
    private static int slotsOf(int homes) {
        return homes + Math.min(homes, Math.min(128, 16 + homes / 64));
    }

    private static int wordsOf(int homes) {
        return (int) (((long) slotsOf(homes) * widthOf(homes) + Long.SIZE - 1) / Long.SIZE) + 1;
    }
}
