package dev.ebb.topology.undo;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.undo.Notice;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tells when events that come back fall due again by the policies in force, once their notice has ended (T-3). Each
 * event is judged by itself as it comes back, so nothing is read for it: {@code keepLast}, which may keep it, is left
 * out, and a cap takes it if its stream is above the cap with it. Not thread-safe.
 */
final class DueAgain {

    private long untilMs;
    private long dueThen;
    private long firstDueMs = RetentionDecider.NEVER;
    private boolean isAny;

    /** @param before the findings before a crash; null if there are none */
    DueAgain(@Nullable Notice before) {
        if (before != null) {
            isAny = true;
            untilMs = before.until().toEpochMilli();
            dueThen = before.dueThen();
            firstDueMs = before.firstDueAt() == null
                    ? RetentionDecider.NEVER
                    : before.firstDueAt().toEpochMilli();
        }
    }

    /** Notes the notice of an execution, which comes back without an event. */
    void execution(long noticeUntilMs) {
        isAny = true;
        untilMs = Math.max(untilMs, noticeUntilMs);
    }

    /**
     * Takes in an event that comes back.
     *
     * @param events number of events of its stream with it
     * @param bytes size of these events
     * @param noticeUntilMs the last millisecond of its notice, epoch milliseconds
     */
    void event(StreamName stream, EventFacts event, PolicySet policies, long events, long bytes, long noticeUntilMs) {
        execution(noticeUntilMs);
        EffectivePolicy policy = policies.effective(stream);
        if (event.isProtected() || !policy.isEnforced() || policies.isHeld(stream)) {
            return;
        }
        Place place = new Place(events, bytes, 0, 0);
        if (RetentionDecider.decide(event, place, policy, noticeUntilMs + 1).isRemove()) {
            dueThen++;
            firstDueMs = Math.min(firstDueMs, noticeUntilMs);
        } else {
            firstDueMs = Math.min(firstDueMs, RetentionDecider.removableAtMs(event, policy));
        }
    }

    /** Returns the notice of all that has come back; null if nothing has. */
    @Nullable
    Notice notice() {
        Instant first = firstDueMs == RetentionDecider.NEVER ? null : Instant.ofEpochMilli(firstDueMs);
        return isAny ? new Notice(Instant.ofEpochMilli(untilMs), dueThen, first) : null;
    }
}
