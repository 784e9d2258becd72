package dev.ebb.store.pass;

import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.Retired;

/** Is told what is taken away behind a deleted stream. */
public interface RetirementListener {

    /** An event is gone. */
    void removed(Retired stream, Removed removed);

    /** An event is gone that is so damaged that nothing of it can be read, not even its id. */
    default void removedUnread(Retired stream) {}

    /** An execution is gone. */
    void executionRemoved(Retired stream, long execution);

    /** Nothing is left of the stream. */
    default void emptied(Retired stream) {}
}
