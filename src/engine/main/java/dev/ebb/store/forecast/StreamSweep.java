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
 * Removes from one stream what the decision condemns, in the order of deletion (M-14): first the events that age and
 * own TTLs take, then those of the rest that the caps take. Either part walks two sorted sources of an execution side
 * by side: the ordered events from their head on, and the timed ones by passed deadline or from their head. A shadow of
 * a stream goes the same way, and nothing is deleted.
 */
public final class StreamSweep {

    private final EventTable events;
    private final @Nullable StreamTable streams;

    /** @param streams forgets executions of which nothing is left; null if only shadows are swept */
    public StreamSweep(EventTable events, @Nullable StreamTable streams) {
        this.events = events;
        this.streams = streams;
    }

    /** Returns whether nothing more is due; false if the budget ended it. */
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

    /** When the current execution goes, another one becomes the current one, so a shadow, too, must let it go. */
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
     * Returns whether nothing more can go; false if the budget ended it. Events that have come since the last slice and
     * are due go first: otherwise others would go because those are still counted.
     */
    public boolean removeOverCap(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        return removeDue(stream, nowMs, budget, listener)
                && new CapSweep(events, stream, nowMs, budget, listener).run();
    }
}
