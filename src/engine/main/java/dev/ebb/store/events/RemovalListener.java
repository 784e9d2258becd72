package dev.ebb.store.events;

import dev.ebb.domain.event.Execution;
import dev.ebb.store.state.StreamState;

/** Receives each removed event, in the order of removal, after it is gone from the store. */
@FunctionalInterface
public interface RemovalListener {

    /** Ignores all removals, for callers that need only the counts. */
    RemovalListener NONE = (stream, removed) -> {};

    void removed(StreamState stream, Removed removed);

    /** Notes that an execution is gone, after its events. */
    default void executionRemoved(StreamState stream, Execution execution) {}

    /**
     * Notes that a forecast begins with the events of this execution, or begins with them again: events that were shown
     * since the last beginning then no longer count.
     */
    default void began(StreamState stream, long execution) {}
}
