package dev.ebb.topology.trash;

/** Set of numbers without an object for each, which only grows. Not thread-safe. */
final class LongSet {

    private final long[] table;
    private final int mask;
    private boolean hasZero;

    /** @param most the largest number of elements */
    LongSet(int most) {
        long wanted = Math.max(8, most + most / 2L);
        this.table = new long[(int) Math.min(1L << 30, 2 * Long.highestOneBit(wanted))];
        this.mask = table.length - 1;
    }

    /** Adds the number; returns false if it was there. */
    boolean add(long number) {
        if (number == 0) {
            boolean isNew = !hasZero;
            hasZero = true;
            return isNew;
        }
        int place = (int) (number ^ (number >>> 32)) & mask;
        while (table[place] != 0) {
            if (table[place] == number) {
                return false;
            }
            place = (place + 1) & mask;
        }
        table[place] = number;
        return true;
    }
}
