package dev.ebb.store.state;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;

/**
 * Ends of executions that came ahead of events. Executions and events come on two topics, in either order, and imported
 * ones are old: without a wait the first sweep would forget the end, and the events that follow would be those of an
 * execution that never ends. So the execution stays for as long as a grave, counted from the arrival of its end, even if
 * it is older than {@code maxAge} (M-5). Counts those that wait, since they take memory. Not thread-safe.
 */
final class EndsAhead {

    /** The most ends of a partition that wait; further ones go by their age alone. */
    static final int MOST = 100_000;

    private final long waitMs;
    private int count;

    /** @param waitMs the time for which an end waits, in milliseconds; 0: none waits */
    EndsAhead(long waitMs) {
        this.waitMs = waitMs;
    }

    void clear() {
        count = 0;
    }

    /** Notes that an execution has come (1) or gone (-1). */
    void note(Segment segment, int sign) {
        count += segment.awaitsUntilMs() == 0 ? 0 : sign;
    }

    /** Decides how long the end of an execution waits, which has just come; an execution that is open has no end. */
    void decide(Segment segment, EffectivePolicy policy, long nowMs) {
        note(segment, -1);
        segment.awaitEvents(mustWait(segment, policy, nowMs) ? nowMs + waitMs : 0);
        note(segment, 1);
    }

    /** Without a wait, an end that is not due on its arrival stays for longer, or has its events already. */
    private boolean mustWait(Segment segment, EffectivePolicy policy, long nowMs) {
        Long completedAt = segment.execution().completedAt();
        if (completedAt == null || segment.number() == 0 || waitMs == 0 || count >= MOST) {
            return false;
        }
        long staysUntilMs = RetentionDecider.removableByAgeMs(completedAt, policy);
        boolean isAhead = segment.totalEvents() == 0 || RetentionDecider.isPast(staysUntilMs, nowMs);
        return isAhead && RetentionDecider.isPast(staysUntilMs, nowMs + waitMs);
    }
}
