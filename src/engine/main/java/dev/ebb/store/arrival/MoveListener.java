package dev.ebb.store.arrival;

import dev.ebb.domain.event.StoredEvent;

/** Is told of changes that another set of terminal statuses brings to a stream that is being moved. */
public interface MoveListener {

    /** An event has become protected or terminal. */
    void reclassified(StoredEvent event);

    /** An execution has become terminal, or is not any more. */
    void reclassified(ExecutionChange change);
}
