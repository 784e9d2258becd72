package dev.ebb.store.pass;

import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.Retired;

/** Is told of all that is taken away behind a deleted stream. */
public interface RetirementListener {

    /** An event is gone. */
    void removed(Retired stream, Removed removed);

    /** An event is gone that was too damaged to be read, its id included. */
    default void removedUnread(Retired stream) {}

    /** An execution is gone. */
    void executionRemoved(Retired stream, long execution);

    /** Nothing is left of the stream. */
    default void emptied(Retired stream) {}
}
