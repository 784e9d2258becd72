package dev.ebb.runtime;

import dev.ebb.api.EventQueries.BadCursorException;
import dev.ebb.api.EventQueries.EventPage;
import dev.ebb.api.EventQueries.EventQuery;
import dev.ebb.api.ReadEvent;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.DueEvent;
import dev.ebb.store.StreamContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists what of a stream age and own TTLs take within a time. What is due already is listed where readers see it: where
 * the policy only warns, or expired events are asked for. Used once.
 */
final class ExpiringEvents {

    /** A page ends after so many events, although fewer of them may be asked for. */
    private static final int MOST_READ = 10_000;

    private final StreamContext stream;
    private final EffectivePolicy policy;
    private final long nowMs;
    private final List<ReadEvent> shown = new ArrayList<>();
    private int read;

    ExpiringEvents(StreamContext stream, EffectivePolicy policy, long nowMs) {
        this.stream = stream;
        this.policy = policy;
        this.nowMs = nowMs;
    }

    EventPage page(EventQuery query, long withinMs) {
        long fromMs = query.includeExpired() || !policy.isEnforced() ? 0 : nowMs;
        long untilMs = nowMs + Math.min(withinMs, RetentionDecider.NEVER - 1 - nowMs);
        try {
            @Nullable
            String next = stream.visitDue(policy, fromMs, untilMs, query.cursor(), event -> add(event, query));
            return new EventPage(shown, next);
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }

    private boolean add(DueEvent due, EventQuery query) {
        if (shown.size() == query.limit() || read == MOST_READ) {
            return false;
        }
        read++;
        StoredEvent event = due.stored();
        if (LocalEventQueries.hasStatus(event, query.status())) {
            boolean isExpired = policy.isEnforced() && RetentionDecider.isPast(due.lastMs(), nowMs);
            long dueAtMs = RetentionDecider.dueAtMs(stream.facts(event), policy);
            shown.add(new ReadEvent(event, dueAtMs, isExpired));
        }
        return true;
    }
}
