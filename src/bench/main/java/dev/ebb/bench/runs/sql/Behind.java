package dev.ebb.bench.runs.sql;

import java.time.Duration;

/**
 * How far SQL was behind a steady load, as it is looked at again and again: the most at all, and the most in each third of the
 * time. With a rate that it cannot sustain it falls further and further behind, from third to third. Not thread-safe.
 */
final class Behind {

    /** Seconds by which the last third may exceed the one before: a single sweep or a collection of garbage is as long. */
    private static final double MOST_GROWTH = 1;

    private static final int THIRDS = 3;

    private final Duration time;
    private final double[] most = new double[THIRDS];

    /** @param time from the first event that is due until the last is, above zero */
    Behind(Duration time) {
        this.time = time;
    }

    /**
     * Notes what was seen.
     *
     * @param at time since the first event was due; before it counts as the first third, after the end as the last
     * @param seconds seconds by which SQL is behind
     */
    void seen(Duration at, double seconds) {
        long third = Math.floorDiv(THIRDS * at.toNanos(), time.toNanos());
        int index = (int) Math.max(0, Math.min(THIRDS - 1, third));
        most[index] = Math.max(most[index], seconds);
    }

    /** Seconds by which it was behind at the most. */
    double most() {
        return Math.max(most[0], Math.max(most[1], most[2]));
    }

    /** Returns true if it was more than a second further behind in the last third than in the one before. */
    boolean isGrowing() {
        return most[2] - most[1] > MOST_GROWTH;
    }
}
