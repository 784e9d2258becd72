package dev.ebb.store.forecast;

import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Removes from one stream what the decision removes, in the order of deletion (M-14): first the events that age and own
 * TTLs take, then those that the caps take from the rest. Either part walks two sorted sources of an execution side by
 * side: the ordered events from their head on, and the timed events by passed deadline or from their head. A shadow of
 * a stream goes the same way without any delete.
 */
public final class StreamSweep {

    private final EventTable events;
    private final @Nullable StreamTable streams;

    /** @param streams forgets executions of which nothing is left; null if only shadows are swept */
    public StreamSweep(EventTable events, @Nullable StreamTable streams) {
        this.events = events;
        this.streams = streams;
    }

    /** Returns true if nothing more is due, false if the budget ended the slice. */
    public boolean removeDue(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        for (Segment segment = stream.firstDue(nowMs); segment != null; segment = stream.firstDue(nowMs)) {
            if (budget.isSpent() || !isSwept(segment, nowMs, budget, listener)) {
                return false;
            }
            if (StreamState.isWithoutEvents(segment) && RetentionDecider.isPast(stream.nextDueMs(segment), nowMs)) {
                removeExecution(segment, listener);
                budget.spendDelete();
            }
        }
        return true;
    }

    private boolean isSwept(Segment segment, long nowMs, SweepBudget budget, RemovalListener listener) {
        return StreamState.isWithoutEvents(segment) || new DueSweep(events, segment, nowMs, budget, listener).run();
    }

    /**
     * Removes an execution, also from a shadow: when the current execution goes, another one becomes the current one.
     */
    private void removeExecution(Segment segment, RemovalListener listener) {
        StreamState stream = segment.stream();
        events.beginWriting();
        listener.executionRemoved(stream, segment.execution());
        if (stream.isShadow()) {
            stream.drop(segment);
        } else {
            Objects.requireNonNull(streams).removeSegment(segment);
        }
        events.endWriting();
    }

    /**
     * Returns true if nothing more can go, false if the budget ended the slice. Due events that have come since the
     * last slice go first: as long as they count, others would go in their place.
     */
    public boolean removeOverCap(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        return removeDue(stream, nowMs, budget, listener)
                && new CapSweep(events, stream, nowMs, budget, listener).run();
    }
}
