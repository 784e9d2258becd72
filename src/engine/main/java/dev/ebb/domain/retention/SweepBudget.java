package dev.ebb.domain.retention;

import java.util.function.LongSupplier;

/**
 * The rest of the budget of one slice of work: a number of deletes and a stretch of the thread's time. Not thread-safe.
 */
public final class SweepBudget {

    /**
     * Number of steps between two readings of the clock. A delete takes some microseconds, but the first of a stream
     * takes far longer, and each pause may be longer by the steps between two readings.
     */
    private static final int CLOCK_STRIDE = 8;

    private final LongSupplier nanoClock;
    private final long endNanos;
    private int deletesLeft;
    private int untilClock;
    private boolean isTimeUp;

    /**
     * @param deletes the most deletes, at least 1
     * @param nanos the most time that the work may take, in nanoseconds
     * @param nanoClock a clock that never goes back, in nanoseconds
     */
    public SweepBudget(int deletes, long nanos, LongSupplier nanoClock) {
        this(nanoClock, nanoClock.getAsLong() + nanos, deletes);
    }

    private SweepBudget(LongSupplier nanoClock, long endNanos, int deletes) {
        this.nanoClock = nanoClock;
        this.endNanos = endNanos;
        this.deletesLeft = deletes;
    }

    /**
     * A part of the rest, for work that must not take more than that number of deletes. Both use one clock and end at
     * one time; deletes of the part are not taken from the whole.
     *
     * @param deletes the most deletes, at least 1
     */
    public SweepBudget part(int deletes) {
        return new SweepBudget(nanoClock, endNanos, Math.min(deletes, deletesLeft));
    }

    /** Notes that one event was deleted. */
    public void spendDelete() {
        deletesLeft--;
        spendStep();
    }

    /** Notes that one step was made without a delete. */
    public void spendStep() {
        if (--untilClock <= 0) {
            untilClock = CLOCK_STRIDE;
            isTimeUp = nanoClock.getAsLong() - endNanos >= 0;
        }
    }

    /** Returns true if the slice must end; the work goes on in the next one. */
    public boolean isSpent() {
        return deletesLeft <= 0 || isTimeUp;
    }

    /** Number of deletes that are left, at least 0. */
    public int deletesLeft() {
        return Math.max(0, deletesLeft);
    }
}
