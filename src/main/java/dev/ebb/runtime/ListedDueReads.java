package dev.ebb.runtime;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.EventPage;
import dev.ebb.store.ReadOnlyEventStore;
import dev.ebb.store.StreamContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds what comes due in the list of a stream's events, which begins with the oldest. A stream without own TTLs is read up
 * to the first event that stays, and not at all if that is its oldest; in others, and in those with executions, any event
 * may be the next to go.
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
        StreamContext context = store.context(stream.stream()).orElse(null);
        if (context == null) {
            return;
        }
        boolean isByAgeAlone = stream.timedEvents() == 0 && context.executions().isEmpty();
        @Nullable String cursor = null;
        do {
            EventPage page = store.list(stream.stream(), cursor, PAGE);
            budget.spend(page.events().size());
            if (!visit(page, context, policy, untilMs, isByAgeAlone, visitor)) {
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
            EventPage page,
            StreamContext context,
            EffectivePolicy policy,
            long untilMs,
            boolean isByAgeAlone,
            Visitor visitor) {
        for (StoredEvent event : page.events()) {
            if (event.isProtected()) {
                return false;
            }
            EventFacts facts = context.facts(event);
            long dueAt = facts.isProtected() ? RetentionDecider.NEVER : lastMs(facts, policy);
            if (dueAt <= untilMs && goes(event, facts, context, policy, dueAt)) {
                visitor.due(dueAt, event.sizeBytes());
            } else if (dueAt > untilMs && isByAgeAlone && !event.ttl().noExpiration()) {
                return false;
            }
        }
        return true;
    }

    /** The last millisecond of its life, as long as minAge guards it included. */
    private static long lastMs(EventFacts facts, EffectivePolicy policy) {
        long anchorMs = facts.anchorMs(policy.anchor().value());
        return Math.max(RetentionDecider.dueAtMs(facts, policy), RetentionDecider.lastGuardedMs(anchorMs, policy));
    }

    /** Whether it goes then, or is one of the last that are kept. */
    private static boolean goes(
            StoredEvent event, EventFacts facts, StreamContext context, EffectivePolicy policy, long dueAt) {
        return RetentionDecider.decide(facts, context.place(event, policy), policy, false, dueAt + 1)
                .isRemove();
    }
}
