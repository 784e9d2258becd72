package dev.ebb.store.arrival;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.store.state.StreamState;

/** Receives the changes that a move brings to the rows of its stream. */
public interface MoveListener {

    /** Notes that an event has become protected or terminal, or that its row comes or goes. */
    void changed(StreamState stream, StoredEvent event);

    /** Notes that an execution has become terminal, or no longer is. */
    void changed(ExecutionChange change);

    /**
     * Notes that the events of the stream lose their rows in SQL (F-13).
     *
     * @param events the number of events whose rows go
     */
    void rowsGo(StreamState stream, long events);
}
