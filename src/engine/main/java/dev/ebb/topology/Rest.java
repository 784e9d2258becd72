package dev.ebb.topology;

import dev.ebb.topology.policy.PolicyView;
import org.jspecify.annotations.Nullable;

/**
 * Rest of a task that has nothing to do: a slice need not look at anything until a known time, the next record or other
 * policies, whichever comes first. An instance with thousands of idle partitions then costs next to nothing. Not
 * thread-safe.
 */
final class Rest {

    private boolean isOn;
    private long sinceMs;
    private long untilMs;
    private @Nullable PolicyView view;

    /**
     * Begins the rest: there is nothing to do.
     *
     * @param newView the policies in force
     * @param nowMs epoch milliseconds
     * @param newUntilMs the latest time at which there is something to do, epoch milliseconds
     */
    void begin(PolicyView newView, long nowMs, long newUntilMs) {
        isOn = true;
        sinceMs = nowMs;
        view = newView;
        untilMs = newUntilMs;
    }

    /** Ends the rest: there may be something to do. */
    void end() {
        isOn = false;
    }

    /** Returns true if the rest goes on under these policies; a clock put back makes its end unknown, and ends it. */
    @SuppressWarnings("ReferenceEquality") // any other view ends the rest, even one of the same policies
    boolean lasts(long nowMs, PolicyView current) {
        return isOn && nowMs >= sinceMs && nowMs < untilMs && current == view;
    }

    boolean isOn() {
        return isOn;
    }
}
