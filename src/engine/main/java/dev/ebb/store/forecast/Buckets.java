package dev.ebb.store.forecast;

/**
 * Adds up weights by number, in a fixed count of buckets that grow as wide as the spread of the numbers requires. Each
 * sum is exact; only the place of a number within its bucket is unknown. Not thread-safe.
 */
final class Buckets {

    private static final int COUNT = 1 << 14;

    private long[] weights = new long[COUNT];

    /** The width of a bucket, as an exponent of 2. */
    private int shift;

    /** The lowest number of the first bucket, divided by the width of a bucket. */
    private long first;

    private long lowest = Long.MAX_VALUE;
    private long highest = -1;

    /**
     * The numbers of one bucket.
     *
     * @param from the lowest number of the bucket
     * @param to the highest number of the bucket
     * @param before the weight of all numbers below the bucket
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
     * Widens the buckets, but no more than necessary, so that each remains a small part of the whole. Leaves equal room
     * on both sides, so that this is seldom necessary again, whatever the order of the numbers.
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

    /**
     * Returns the bucket in which the sum of the weights, from the lowest number up, reaches the amount; the last
     * bucket if none does.
     */
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
