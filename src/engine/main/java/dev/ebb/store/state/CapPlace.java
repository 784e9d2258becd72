package dev.ebb.store.state;

import dev.ebb.domain.retention.RetentionDecider;

/**
 * Progress of a sweep with the caps of one stream, from one slice to the next. The events that guards keep in the
 * executions already passed are added up only once. A change of these events, of the policy or of the order of
 * executions makes the sum worthless, see {@link SweepMemory}. Not thread-safe.
 */
public final class CapPlace {

    private final long nowMs;

    /** The first execution that is not finished. */
    private long next;

    /** The number of events that guards keep in the executions before the next one. */
    private long keptEvents;

    private long keptBytes;

    /**
     * The time at which the first guard releases the events that it keeps, epoch milliseconds; {@link
     * RetentionDecider#NEVER} if none does.
     */
    private long blockedUntilMs = RetentionDecider.NEVER;

    public CapPlace(long nowMs) {
        this.nowMs = nowMs;
    }

    public long next() {
        return next;
    }

    public long blockedUntilMs() {
        return blockedUntilMs;
    }

    public long nowMs() {
        return nowMs;
    }

    public long keptEvents() {
        return keptEvents;
    }

    public long keptBytes() {
        return keptBytes;
    }

    /** Notes that nothing of this execution is left for the caps. */
    public void pass(long execution) {
        next = execution + 1;
    }

    /** Adds events and bytes that a guard keeps. */
    public void keep(long events, long bytes) {
        keptEvents += events;
        keptBytes += bytes;
    }

    /** Notes that a guard ends at this time, epoch milliseconds. */
    public void blockUntil(long timeMs) {
        blockedUntilMs = Math.min(blockedUntilMs, timeMs);
    }
}
