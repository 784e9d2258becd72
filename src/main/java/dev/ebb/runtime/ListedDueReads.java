package dev.ebb.runtime;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.EventPage;
import dev.ebb.store.ReadOnlyEventStore;
import org.jspecify.annotations.Nullable;

/**
 * Finds what comes due in the list of a stream's events, which begins with the oldest. A stream without own TTLs is read up
 * to the first event that stays, and not at all if that is its oldest; in others any event may be the next to go.
 */
final class ListedDueReads implements DueReads {

    private static final int PAGE = 256;

    @Override
    public void visit(
            ReadOnlyEventStore store,
            StreamUsage stream,
            EffectivePolicy policy,
            long untilMs,
            ReadBudget budget,
            Visitor visitor) {
        if (!mayHave(stream, policy, untilMs)) {
            return;
        }
        boolean isByAgeAlone = stream.timedEvents() == 0;
        @Nullable String cursor = null;
        do {
            EventPage page = store.list(stream.stream(), cursor, PAGE);
            budget.spend(page.events().size());
            if (!visit(page, policy, untilMs, isByAgeAlone, visitor)) {
                return;
            }
            cursor = page.nextCursor();
        } while (cursor != null && !budget.isSpent());
    }

    private static boolean mayHave(StreamUsage stream, EffectivePolicy policy, long untilMs) {
        Long oldest = stream.oldest();
        return oldest != null && (stream.timedEvents() > 0 || RetentionDecider.dueByAgeMs(oldest, policy) <= untilMs);
    }

    /** Returns whether more may follow; protected events come last. */
    private static boolean visit(
            EventPage page, EffectivePolicy policy, long untilMs, boolean isByAgeAlone, Visitor visitor) {
        for (StoredEvent event : page.events()) {
            if (event.isProtected()) {
                return false;
            }
            long dueAt = RetentionDecider.dueAtMs(event, policy);
            if (dueAt <= untilMs) {
                visitor.due(dueAt, event.sizeBytes());
            } else if (isByAgeAlone && !event.ttl().noExpiration()) {
                return false;
            }
        }
        return true;
    }
}
