package dev.ebb.store.events;

import dev.ebb.domain.event.Execution;
import dev.ebb.store.state.StreamState;

/** Is told of each event that is removed, in the order of removal, after it is gone from the store. */
@FunctionalInterface
public interface RemovalListener {

    void removed(StreamState stream, Removed removed);

    /** An execution is gone, its events before it. */
    default void executionRemoved(StreamState stream, Execution execution) {}
}
