package dev.ebb.store.rocks;

import org.jspecify.annotations.Nullable;

/**
 * Prints of 26 bits, each as often as it was added, in 13 to 25 bits each: the place of a print says its first bits, so
 * the table holds the others alone.
 *
 * <p>A quotient filter (Bender et al., Don't Thrash: How to Cache Your Hash on Flash, VLDB 2012) with two changes. A
 * table of any number of homes is as good as one of a power of two, so it can grow by an eighth. Prints that do not fit
 * in front of the end lie in some further slots behind it, so no cluster goes around. Prints lie in ascending order; a
 * run holds those of one home, and a cluster is a sequence of runs without an empty slot before it. Not thread-safe.
 */
final class PrintTable {

    static final int PRINT_BITS = 26;

    /** The home of this slot has a run, wherever that lies. The other two marks are of the print in the slot. */
    private static final int HAS_RUN = 1;

    /** Not the first print of its run. */
    private static final int CONTINUES = 2;

    private static final int NOT_AT_HOME = 4;
    private static final int MARKS = HAS_RUN | CONTINUES | NOT_AT_HOME;
    private static final int MARK_BITS = 3;

    private final int homes;
    private final int slots;

    /** Slots, one behind the other; one may lie in two words, so a word more is there than they need. */
    private final long[] words;

    private final int width;
    private final long mask;

    /** Bits at the end of the distance between a home and its prints that are the same for no two of them. */
    private final int idleBits;

    private int size;

    /**
     * An empty table.
     *
     * @param homes the places that prints are spread over, 1 to 2<sup>26</sup>; more prints than that never fit
     */
    PrintTable(int homes) {
        this.homes = homes;
        this.slots = slotsOf(homes);
        this.width = widthOf(homes);
        this.mask = (1L << width) - 1;
        this.idleBits = idleBitsOf(homes);
        this.words = new long[wordsOf(homes)];
    }

    /** Memory of a table with so many homes, in bytes; what Java adds to an array is not in it. */
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

    /** Adds the print, and returns false if the slots behind the last home are full, so that it cannot be added. */
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

    /** Takes the print out once; does nothing if it is not there. */
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

    /** Returns a table with these prints and other homes; null if they do not fit into it. */
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
     * Puts a print of another table, not below any in this one, at the end of them; returns the slot behind it, or one
     * too many. In a table twice as large the place of a print is twice as far, so the division of the rest is spared.
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

    /** The slot of the print, or -1. */
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

    /** The first slot of the run of the home; where it would begin if the home has none and its slot is taken. */
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

    /** The slot in a run before which a print belongs: that of the first one that is not less. */
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

    /** Moves prints up by one from the slot on, as far as the next empty one; returns false if there is none. */
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

    /** Moves prints down by one into the slot; the next one becomes the first of its run if that is said. */
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

    /** A home whose run was moved up still has the mark of it, but a print lies there then. */
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

    /** As far into the table as the print is into all, so homes ascend with prints in a table of any size. */
    private int homeOf(int print) {
        return (int) (((long) print * homes) >>> PRINT_BITS);
    }

    /** Prints of one home differ by the number of homes at least in what their places leave over. */
    private long remainderOf(int print) {
        return (((long) print * homes) & ((1L << PRINT_BITS) - 1)) >>> idleBits;
    }

    /** The one print of the home and the remainder: the least whose place is not before them. */
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

    /** At seven eighths full, a print lies more than a hundred slots behind its home once in 10<sup>11</sup>. */
    private static int slotsOf(int homes) {
        return homes + Math.min(homes, Math.min(128, 16 + homes / 64));
    }

    private static int wordsOf(int homes) {
        return (int) (((long) slotsOf(homes) * widthOf(homes) + Long.SIZE - 1) / Long.SIZE) + 1;
    }
}
