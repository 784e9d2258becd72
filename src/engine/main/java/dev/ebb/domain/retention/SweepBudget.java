package dev.ebb.domain.retention;

import java.util.function.LongSupplier;

/**
 * The rest of the budget of one slice of work: a number of deletes and an amount of the thread's time. Not thread-safe.
 */
public final class SweepBudget {

    /**
     * Number of steps between two readings of the clock, by which a slice may exceed its time. A delete takes some
     * microseconds, but the first delete of a stream takes far longer.
     */
    private static final int CLOCK_STRIDE = 8;

    private final LongSupplier nanoClock;
    private final long endNanos;
    private int deletesLeft;
    private int untilClock;
    private boolean isTimeUp;

    /**
     * @param deletes the maximum number of deletes, at least 1
     * @param nanos the maximum time of the work, in nanoseconds
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
     * Returns a part of the rest, for work that is limited to the given number of deletes. Both budgets have the same
     * clock and the same end; deletes of the part are not subtracted from the whole.
     *
     * @param deletes the maximum number of deletes, at least 1
     */
    public SweepBudget part(int deletes) {
        return new SweepBudget(nanoClock, endNanos, Math.min(deletes, deletesLeft));
    }

    /** Records one delete. */
    public void spendDelete() {
        deletesLeft--;
        spendStep();
    }

    /** Records one step without a delete. */
    public void spendStep() {
        if (--untilClock <= 0) {
            untilClock = CLOCK_STRIDE;
            isTimeUp = nanoClock.getAsLong() - endNanos >= 0;
        }
    }

    /** Returns true if the slice must end; the work continues in the next one. */
    public boolean isSpent() {
        return deletesLeft <= 0 || isTimeUp;
    }

    /** Returns the number of deletes that are left, at least 0. */
    public int deletesLeft() {
        return Math.max(0, deletesLeft);
    }
}
