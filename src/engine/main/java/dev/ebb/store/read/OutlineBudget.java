package dev.ebb.store.read;

import java.util.function.BooleanSupplier;

/** Limits what closer looks at streams may read together. Not thread-safe. */
public final class OutlineBudget {

    /** What one look for a key costs, in events that are read one after the other. */
    static final int SEEK = 16;

    private final long deadlineNanos;
    private final BooleanSupplier isAbandoned;
    private long left;

    /**
     * @param events number of events that may be read
     * @param deadlineNanos when to end, as {@link System#nanoTime()} counts
     * @param isAbandoned true if the result is not wanted any more
     */
    public OutlineBudget(long events, long deadlineNanos, BooleanSupplier isAbandoned) {
        this.left = events;
        this.deadlineNanos = deadlineNanos;
        this.isAbandoned = isAbandoned;
    }

    /** Returns true if there is nothing left. */
    public boolean isSpent() {
        return left <= 0 || System.nanoTime() - deadlineNanos >= 0 || isAbandoned.getAsBoolean();
    }

    void spend(long events) {
        left -= events;
    }
}
