package dev.ebb.store.state;

import dev.ebb.domain.retention.RetentionDecider;

/**
 * Progress of a sweep with the caps of one stream, from one slice to the next. The events that a guard keeps of the
 * executions behind it were added up once; a change of these, of the policy or of the order of executions makes the sum
 * worthless, see {@link SweepMemory}. Not thread-safe.
 */
public final class CapPlace {

    private final long nowMs;

    /** The first execution that is not finished. */
    private long next;

    /** Number of events that guards keep of the executions before the next one. */
    private long keptEvents;

    private long keptBytes;

    /** Time at which a guard lets go the events that it keeps, epoch milliseconds; never if none will. */
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

    /** Notes that nothing of that execution is left for the caps. */
    public void pass(long execution) {
        next = execution + 1;
    }

    /** Notes that a guard keeps that many events and bytes. */
    public void keep(long events, long bytes) {
        keptEvents += events;
        keptBytes += bytes;
    }

    /** Notes that a guard ends at that time, epoch milliseconds. */
    public void blockUntil(long timeMs) {
        blockedUntilMs = Math.min(blockedUntilMs, timeMs);
    }
}
