package dev.ebb.topology.trash;

/** A set of numbers without an object for each, which only grows. Not thread-safe. */
final class LongSet {

    private final long[] table;
    private final int mask;
    private boolean hasZero;

    /** @param most the most numbers that it will take */
    LongSet(int most) {
        int size = Integer.highestOneBit(Math.max(8, most)) * 4;
        this.table = new long[size < 0 ? Integer.MIN_VALUE >>> 1 : size];
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
