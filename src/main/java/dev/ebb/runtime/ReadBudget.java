package dev.ebb.runtime;

import java.time.Duration;

/** How much a question may still read. Not thread-safe. */
final class ReadBudget {

    private final long deadlineNanos;
    private long readsLeft;

    /**
     * @param reads how many events and streams may be read
     * @param time how long that may take
     */
    ReadBudget(long reads, Duration time) {
        this.readsLeft = reads;
        this.deadlineNanos = System.nanoTime() + time.toNanos();
    }

    /** Notes that so much was read. */
    void spend(int reads) {
        readsLeft -= reads;
    }

    /** Whether nothing more may be read, so that the answer may be too small. */
    boolean isSpent() {
        return readsLeft < 0 || System.nanoTime() - deadlineNanos > 0;
    }
}
