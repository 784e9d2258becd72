package dev.ebb.store.arrival;

import dev.ebb.domain.event.StoredEvent;

/** Receives the changes that another set of terminal statuses brings to a moving stream. */
public interface MoveListener {

    /** Notes that an event has become protected or terminal. */
    void reclassified(StoredEvent event);

    /** Notes that an execution has become terminal, or no longer is. */
    void reclassified(ExecutionChange change);
}
