package dev.ebb.store.pass;

import dev.ebb.domain.event.Execution;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.Retired;

/** Receives everything that is removed after the delete of a stream. */
public interface RetirementListener {

    /** Notes that an event is gone. */
    void removed(Retired stream, Removed removed);

    /** Notes that an event is gone that was too damaged to be read, even its id. */
    default void removedUnread(Retired stream) {}

    /**
     * Notes that an execution is gone; one whose record is damaged counts as undeclared.
     *
     * @param openSinceMs the time since which it has been at work, epoch milliseconds; 0 if it is terminal
     */
    void executionRemoved(Retired stream, Execution execution, long openSinceMs);

    /** Notes that nothing is left of the stream. */
    default void emptied(Retired stream) {}
}
