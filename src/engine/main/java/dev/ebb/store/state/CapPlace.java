package dev.ebb.store.state;

import dev.ebb.domain.retention.RetentionDecider;

/**
 * How far a sweep has come with the caps of one stream, from one slice to the next. What a guard keeps of the executions
 * that lie behind it was added up once; a change of these, of the policy or of the order of executions makes it worthless,
 * see {@link StreamState#forgetCapPlace}. Not thread-safe.
 */
public final class CapPlace {

    private final long nowMs;

    /** The first execution that has not been done with. */
    private long next;

    /** What guards keep of those before it. */
    private long keptEvents;

    private long keptBytes;

    /** When a guard that keeps what would go lets it go, epoch milliseconds; never if none will. */
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

    /** Nothing of that execution is left for the caps. */
    public void pass(long execution) {
        next = execution + 1;
    }

    /** A guard keeps so many events and bytes. */
    public void keep(long events, long bytes) {
        keptEvents += events;
        keptBytes += bytes;
    }

    /** A guard ends at that time, epoch milliseconds. */
    public void blockUntil(long timeMs) {
        blockedUntilMs = Math.min(blockedUntilMs, timeMs);
    }
}
