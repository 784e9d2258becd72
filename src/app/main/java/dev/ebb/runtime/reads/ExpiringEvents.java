package dev.ebb.runtime.reads;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Fate;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.port.EventQueries.EventPage;
import dev.ebb.port.EventQueries.EventQuery;
import dev.ebb.port.ReadEvent;
import dev.ebb.port.history.TimeRange;
import dev.ebb.store.due.DueEvent;
import dev.ebb.store.read.StatusFilter;
import dev.ebb.store.read.StreamContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists events of a stream that age and own TTLs take within a time. Due events are listed only where readers see them:
 * where the policy only warns, or the query includes expired events. Used once.
 */
final class ExpiringEvents {

    private final StreamContext stream;
    private final EffectivePolicy policy;
    private final long nowMs;
    private final PageBudget budget = new PageBudget();
    private final List<ReadEvent> shown = new ArrayList<>();

    ExpiringEvents(StreamContext stream, EffectivePolicy policy, long nowMs) {
        this.stream = stream;
        this.policy = policy;
        this.nowMs = nowMs;
    }

    EventPage page(EventQuery query, StatusFilter filter) {
        long fromMs = fromMs(query);
        long untilMs = untilMs(query);
        if (stream.isOnlyAmongProtected(filter) || untilMs < fromMs) {
            return new EventPage(List.of(), null);
        }
        @Nullable
        String next = stream.visitDue(policy, fromMs, untilMs, query.cursor(), event -> add(event, query, filter));
        return new EventPage(shown, next);
    }

    private long fromMs(EventQuery query) {
        long fromMs = query.includeExpired() || !policy.isEnforced() ? 0 : nowMs;
        TimeRange due = query.due();
        return due == null ? fromMs : Math.max(fromMs, due.fromMs());
    }

    private long untilMs(EventQuery query) {
        long longest = RetentionDecider.NEVER - 1;
        Long within = query.expiringWithinMs();
        long untilMs = within == null ? longest : nowMs + Math.min(within, longest - nowMs);
        TimeRange due = query.due();
        return due == null ? untilMs : Math.min(untilMs, due.toMs());
    }

    private boolean add(DueEvent due, EventQuery query, StatusFilter filter) {
        if (shown.size() == query.limit() || !budget.spend()) {
            return false;
        }
        StoredEvent event = due.stored();
        if (filter.accepts(event.event().status())) {
            boolean isExpired = policy.isEnforced() && RetentionDecider.isPast(due.lastMs(), nowMs);
            shown.add(new ReadEvent(event, stream.goesAtMs(event, policy), isExpired, Fate.ofDue(policy)));
        }
        return true;
    }
}
