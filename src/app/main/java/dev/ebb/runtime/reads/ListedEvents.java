package dev.ebb.runtime.reads;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Fate;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.port.EventQueries.EventPage;
import dev.ebb.port.EventQueries.EventQuery;
import dev.ebb.port.ReadEvent;
import dev.ebb.store.read.StatusFilter;
import dev.ebb.store.read.StreamContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists the selected events of a stream that readers may see (M-17). Skips all others until the page is full or has
 * cost enough. Used once.
 */
final class ListedEvents {

    private final StreamContext stream;
    private final EffectivePolicy policy;
    private final boolean isHeld;
    private final long nowMs;
    private final PageBudget budget;
    private final List<ReadEvent> shown = new ArrayList<>();

    ListedEvents(StreamContext stream, PolicySet policies, long nowMs) {
        this(stream, policies, nowMs, new PageBudget());
    }

    ListedEvents(StreamContext stream, PolicySet policies, long nowMs, PageBudget budget) {
        StreamName name = stream.stream();
        this.stream = stream;
        this.policy = policies.effective(name);
        this.isHeld = policies.isHeld(name);
        this.nowMs = nowMs;
        this.budget = budget;
    }

    EventPage page(EventQuery query, StatusFilter filter) {
        @Nullable String next = stream.visit(filter, query.cursor(), event -> add(event, query, filter));
        return new EventPage(shown, next);
    }

    private boolean add(StoredEvent event, EventQuery query, StatusFilter filter) {
        if (shown.size() == query.limit() || !budget.spend()) {
            return false;
        }
        if (filter.accepts(event.event().status())) {
            ReadEvent seen = view(event);
            if (query.includeExpired() || !seen.isExpired()) {
                shown.add(seen);
            }
        }
        return true;
    }

    /**
     * Returns the event as readers see it. An event that protects itself needs no look at its execution, and there may
     * be many such events.
     */
    ReadEvent view(StoredEvent event) {
        if (event.isProtected()) {
            return new ReadEvent(event, RetentionDecider.NEVER, false, isHeld ? Fate.HELD : Fate.PROTECTED);
        }
        return new ReadEvent(
                event,
                stream.goesAtMs(event, policy),
                stream.isHidden(event, policy, isHeld, nowMs),
                stream.fate(event, policy, isHeld, nowMs));
    }
}
