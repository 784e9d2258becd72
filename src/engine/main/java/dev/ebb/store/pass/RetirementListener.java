package dev.ebb.store.pass;

import dev.ebb.domain.event.Execution;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.Retired;

/** Is told of all that is taken away behind a deleted stream. */
public interface RetirementListener {

    /** An event is gone. */
    void removed(Retired stream, Removed removed);

    /** An event is gone that was too damaged to be read, its id included. */
    default void removedUnread(Retired stream) {}

    /** An execution is gone; one whose record is damaged counts as undeclared. */
    void executionRemoved(Retired stream, Execution execution);

    /** Nothing is left of the stream. */
    default void emptied(Retired stream) {}
}
