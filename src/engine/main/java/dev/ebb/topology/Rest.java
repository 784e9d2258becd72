package dev.ebb.topology;

import dev.ebb.topology.policy.PolicyView;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a task that has nothing to do: until a known time, the next record or other policies, whichever comes first,
 * a slice need not look at anything. An instance with thousands of idle partitions then costs next to nothing. Not
 * thread-safe.
 */
final class Rest {

    private boolean isOn;
    private long sinceMs;
    private long untilMs;
    private @Nullable PolicyView view;

    /**
     * There is nothing to do.
     *
     * @param newView what is in force
     * @param nowMs epoch milliseconds
     * @param newUntilMs when there is something to do at the latest, epoch milliseconds
     */
    void begin(PolicyView newView, long nowMs, long newUntilMs) {
        isOn = true;
        sinceMs = nowMs;
        view = newView;
        untilMs = newUntilMs;
    }

    /** There may be something to do. */
    void end() {
        isOn = false;
    }

    /** Whether it goes on under these policies. Where the clock was put back since, nobody knows until when it should. */
    @SuppressWarnings("ReferenceEquality") // another view, even of the same, ends it
    boolean lasts(long nowMs, PolicyView current) {
        return isOn && nowMs >= sinceMs && nowMs < untilMs && current == view;
    }

    boolean isOn() {
        return isOn;
    }
}
