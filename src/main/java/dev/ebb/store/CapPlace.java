package dev.ebb.store;

import dev.ebb.domain.retention.RetentionDecider;

/**
 * How far a sweep has come with the caps of one stream, from one slice to the next. What a guard keeps of the executions
 * that lie behind it was added up once; a change of these, of the policy or of the order of executions makes it worthless,
 * see {@link StreamState#forgetCapPlace}. Not thread-safe.
 */
final class CapPlace {

    final long nowMs;

    /** The first execution that has not been done with. */
    long next;

    /** What guards keep of those before it. */
    long keptEvents;

    long keptBytes;

    /** When a guard that keeps what would go lets it go, epoch milliseconds; never if none will. */
    long blockedUntilMs = RetentionDecider.NEVER;

    CapPlace(long nowMs) {
        this.nowMs = nowMs;
    }
}
