package dev.ebb.store.forecast;

/**
 * Adds up weights by number, in a fixed count of buckets that become as wide as the numbers lie apart: each sum is
 * exact, and only the place of a number in its bucket is not known. Not thread-safe.
 */
final class Buckets {

    private static final int COUNT = 1 << 14;

    private long[] weights = new long[COUNT];

    /** Exponent of 2 that gives the count of numbers in a bucket. */
    private int shift;

    /** The numbers of the first bucket, divided by the count of numbers in a bucket. */
    private long first;

    private long lowest = Long.MAX_VALUE;
    private long highest = -1;

    /**
     * Numbers of one bucket.
     *
     * @param from the lowest number that falls into it
     * @param to the highest one
     * @param before the weight of all numbers below it
     */
    record Bucket(long from, long to, long before) {}

    /** @param number at least 0 */
    void add(long number, long weight) {
        if (highest < 0) {
            first = number;
        }
        lowest = Math.min(lowest, number);
        highest = Math.max(highest, number);
        if (number >>> shift < first || (number >>> shift) - first >= COUNT) {
            makeRoom();
        }
        weights[(int) ((number >>> shift) - first)] += weight;
    }

    /**
     * Makes the buckets as narrow as they may be, so that each of them is a small part of all; with equal room on both
     * sides, so that this is seldom necessary, whatever the order of the numbers.
     */
    private void makeRoom() {
        int wider = shift;
        while ((highest >>> wider) - (lowest >>> wider) >= COUNT) {
            wider++;
        }
        long room = COUNT - 1 - ((highest >>> wider) - (lowest >>> wider));
        long newFirst = Math.max(0, (lowest >>> wider) - room / 2);
        long[] merged = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            if (weights[i] != 0) {
                merged[(int) (((first + i) >>> (wider - shift)) - newFirst)] += weights[i];
            }
        }
        weights = merged;
        shift = wider;
        first = newFirst;
    }

    /** The bucket in which the sum of the weights, the lowest numbers first, reaches the amount; the last one if none does. */
    Bucket reaching(long amount) {
        long before = 0;
        int index = 0;
        int last = (int) ((highest >>> shift) - first);
        while (index < last && before + weights[index] < amount) {
            before += weights[index];
            index++;
        }
        long from = (first + index) << shift;
        return new Bucket(from, from | ((1L << shift) - 1), before);
    }
}
