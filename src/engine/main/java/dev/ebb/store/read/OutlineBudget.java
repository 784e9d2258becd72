package dev.ebb.store.read;

import java.util.function.BooleanSupplier;

/** Limits the reads of closer looks at streams, all looks together. Not thread-safe. */
public final class OutlineBudget {

    /** The cost of one look-up of a key, as a number of events read in sequence. */
    static final int SEEK = 16;

    private final long deadlineNanos;
    private final BooleanSupplier isAbandoned;
    private long left;

    /**
     * @param events the number of events that may be read
     * @param deadlineNanos the time at which to end, on the scale of {@link System#nanoTime()}
     * @param isAbandoned returns true if the result is no longer wanted
     */
    public OutlineBudget(long events, long deadlineNanos, BooleanSupplier isAbandoned) {
        this.left = events;
        this.deadlineNanos = deadlineNanos;
        this.isAbandoned = isAbandoned;
    }

    /** Returns true if nothing is left. */
    public boolean isSpent() {
        return left <= 0 || System.nanoTime() - deadlineNanos >= 0 || isAbandoned.getAsBoolean();
    }

    void spend(long events) {
        left -= events;
    }
}
