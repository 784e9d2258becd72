package dev.ebb.topology.plan;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.Found;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.fault.StreamGuard;
import org.jspecify.annotations.Nullable;

/**
 * Reasons why planned events stay that a second dry run no longer finds (T-6). Not thread-safe.
 *
 * @param guard confines a failure that concerns one stream to that stream
 * @param rule the rule by which the events of the plan would go
 */
public record PlanReasons(EventStore store, StreamGuard guard, PlanRule rule) {

    LeftOut of(PlannedItem item, long nowMs) {
        StreamState stream = store.stream(item.stream());
        return stream == null
                ? LeftOut.GONE
                : guard.call(stream, nowMs, () -> of(stream, item), failure -> LeftOut.FAILED);
    }

    private LeftOut of(StreamState stream, PlannedItem item) {
        String id = item.id();
        Found found = id == null ? null : store.find(stream, new EventId(id));
        if (found == null) {
            return LeftOut.GONE;
        }
        if (found.event().storedAt() != item.number()) {
            return LeftOut.CHANGED;
        }
        LeftOut all = rule.keepsAll(stream);
        return all == null ? kept(rule.of(stream, found, item).left()) : all;
    }

    /**
     * Replaces a missing reason: an event that the rule would let go, but the dry run has not found, is now behind
     * others of its stream.
     */
    private static LeftOut kept(@Nullable LeftOut reason) {
        return reason == null ? LeftOut.KEPT : reason;
    }
}
