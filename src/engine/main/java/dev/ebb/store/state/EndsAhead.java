package dev.ebb.store.state;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;
import java.util.HashSet;
import java.util.Set;

/**
 * Ends of executions that came ahead of events. Executions and events come in either order, and imported ones are old:
 * without a wait a sweep would forget the end, and the events that follow would be those of an execution that never ends.
 * So the execution stays for as long as a grave, counted from the arrival of its end, even if it is older than
 * {@code maxAge} (M-5). Bounded are those that wait without an event, since they take memory, and all that wait, since
 * sweeps may empty them, and a recount looks at each. Not thread-safe.
 */
final class EndsAhead {

    /**
     * The most ends of a partition that wait without an event; further ones go by their age alone. As many again may wait
     * with events.
     */
    static final int MOST = 100_000;

    /** The age in milliseconds beyond which an end comes late, so that its events may still be on their way. */
    static final long ON_TIME_MS = 60_000;

    /** The least time between two recounts, in milliseconds. */
    static final long RECOUNT_EVERY_MS = 60_000;

    private final long waitMs;
    private final int most;

    /** The executions whose ends wait, also those that have events by now. */
    private final Set<Segment> waiting = new HashSet<>();

    private int count;
    private boolean isRecounted;
    private long recountedAtMs;

    /**
     * @param waitMs the time for which an end waits, in milliseconds; 0: none waits
     * @param most the most ends that wait
     */
    EndsAhead(long waitMs, int most) {
        this.waitMs = waitMs;
        this.most = most;
    }

    void clear() {
        waiting.clear();
        count = 0;
        isRecounted = false;
    }

    /** Notes that an execution has come, whose end may wait. */
    void come(Segment segment) {
        if (segment.awaitsUntilMs() != 0 && waiting.add(segment)) {
            count(segment, true);
        }
    }

    /** Notes that an execution has gone. */
    void go(Segment segment) {
        if (waiting.remove(segment)) {
            count(segment, false);
        }
    }

    /** Notes that an execution is open: its end, if it had one, waits no longer. */
    void open(Segment segment) {
        segment.awaitEvents(0);
        go(segment);
    }

    /** Decides how long the end of an execution waits, which has just come; an execution that is open has no end. */
    void decide(Segment segment, EffectivePolicy policy, long nowMs) {
        boolean mustWait = mustWait(segment, policy, nowMs);
        boolean isWaiting = segment.awaitsUntilMs() >= nowMs && waiting.contains(segment);
        open(segment);
        if (mustWait && (isWaiting || hasRoom(nowMs))) {
            segment.awaitEvents(nowMs + waitMs);
            come(segment);
        }
    }

    /** An end that comes in time, behind its first events, needs no wait: the others are not far behind. */
    private boolean mustWait(Segment segment, EffectivePolicy policy, long nowMs) {
        Long completedAt = segment.execution().completedAt();
        if (completedAt == null || segment.number() == 0 || waitMs == 0) {
            return false;
        }
        long staysUntilMs = RetentionDecider.removableByAgeMs(completedAt, policy);
        boolean isLate = RetentionDecider.isPast(completedAt + ON_TIME_MS, nowMs)
                || RetentionDecider.isPast(staysUntilMs, nowMs);
        boolean isAhead = isLate || segment.totalEvents() == 0 || segment.awaitsUntilMs() >= nowMs;
        return isAhead && RetentionDecider.isPast(staysUntilMs, nowMs + waitMs);
    }

    private boolean hasRoom(long nowMs) {
        boolean mayRecount = !isRecounted || Math.abs(nowMs - recountedAtMs) >= RECOUNT_EVERY_MS;
        if (isFull() && mayRecount) {
            recount(nowMs);
        }
        return !isFull();
    }

    private boolean isFull() {
        return count >= most || waiting.size() >= 2 * most;
    }

    /** Ends whose events have come, or whose wait is over, count until this recount. */
    private void recount(long nowMs) {
        waiting.forEach(segment -> count(segment, segment.totalEvents() == 0 && segment.awaitsUntilMs() >= nowMs));
        waiting.removeIf(segment -> segment.awaitsUntilMs() < nowMs);
        isRecounted = true;
        recountedAtMs = nowMs;
    }

    private void count(Segment segment, boolean counts) {
        if (segment.countsAsAhead() != counts) {
            segment.countAsAhead(counts);
            count += counts ? 1 : -1;
        }
    }
}
