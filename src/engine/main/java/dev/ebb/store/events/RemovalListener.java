package dev.ebb.store.events;

import dev.ebb.domain.event.Execution;
import dev.ebb.store.state.StreamState;

/** Is told of each event that is removed, in the order of removal, after it is gone from the store. */
@FunctionalInterface
public interface RemovalListener {

    /** Is told of nothing: only the counts are of interest. */
    RemovalListener NONE = (stream, removed) -> {};

    void removed(StreamState stream, Removed removed);

    /** An execution is gone, its events before it. */
    default void executionRemoved(StreamState stream, Execution execution) {}

    /**
     * A forecast begins with the events of that execution, or begins anew with it: events of it that were told of since
     * its last beginning do not count.
     */
    default void began(StreamState stream, long execution) {}
}
