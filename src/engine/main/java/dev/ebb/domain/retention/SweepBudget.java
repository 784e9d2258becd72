package dev.ebb.domain.retention;

import java.util.function.LongSupplier;

/**
 * What one slice of work may still do: a number of deletes and a stretch of the thread's time. Not thread-safe.
 */
public final class SweepBudget {

    /**
     * The clock is read once in so many steps. A delete takes some microseconds, but the first of a stream takes far
     * longer, and each pause is longer by as many steps as nobody looks.
     */
    private static final int CLOCK_STRIDE = 8;

    private final LongSupplier nanoClock;
    private final long endNanos;
    private int deletesLeft;
    private int untilClock;
    private boolean isTimeUp;

    /**
     * @param deletes how many deletes there may be, at least 1
     * @param nanos how long it may take, in nanoseconds
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
     * A part of what is left, for work that must not take more than so many deletes of it. Both look at one clock and end at
     * the same time; what the part spends is not taken from the whole.
     *
     * @param deletes how many deletes there may be, at least 1
     */
    public SweepBudget part(int deletes) {
        return new SweepBudget(nanoClock, endNanos, Math.min(deletes, deletesLeft));
    }

    /** Notes that one event was deleted. */
    public void spendDelete() {
        deletesLeft--;
        spendStep();
    }

    /** Notes that something was looked at without being deleted. */
    public void spendStep() {
        if (--untilClock <= 0) {
            untilClock = CLOCK_STRIDE;
            isTimeUp = nanoClock.getAsLong() - endNanos >= 0;
        }
    }

    /** Whether the slice must end; the work goes on in the next one. */
    public boolean isSpent() {
        return deletesLeft <= 0 || isTimeUp;
    }

    /** How many deletes are left, at least 0. */
    public int deletesLeft() {
        return Math.max(0, deletesLeft);
    }
}
