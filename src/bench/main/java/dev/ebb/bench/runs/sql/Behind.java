package dev.ebb.bench.runs.sql;

import java.time.Duration;

/**
 * Delay of SQL behind a steady load, by repeated observations: its maximum, and its maximum in each third of the time.
 * At a rate that SQL cannot sustain, the delay grows from third to third. Not thread-safe.
 */
final class Behind {

    /**
     * Seconds by which the last third may exceed the one before: as much as a single sweep or garbage collection takes.
     */
    private static final double MOST_GROWTH = 1;

    private static final int THIRDS = 3;

    private final Duration time;
    private final double[] most = new double[THIRDS];

    /** @param time the time from the moment at which the first event is due to that of the last, above zero */
    Behind(Duration time) {
        this.time = time;
    }

    /**
     * Notes an observation.
     *
     * @param at time since the first event was due; earlier observations count for the first third, later ones for the
     *     last
     * @param seconds delay of SQL in seconds
     */
    void seen(Duration at, double seconds) {
        long third = Math.floorDiv(THIRDS * at.toNanos(), time.toNanos());
        int index = (int) Math.max(0, Math.min(THIRDS - 1, third));
        most[index] = Math.max(most[index], seconds);
    }

    /** Returns the greatest delay, in seconds. */
    double most() {
        return Math.max(most[0], Math.max(most[1], most[2]));
    }

    /** Returns true if the delay in the last third was more than a second greater than in the one before. */
    boolean isGrowing() {
        return most[2] - most[1] > MOST_GROWTH;
    }
}
