package dev.ebb.store;

import dev.ebb.domain.retention.RemovalCause;

/** Is told of each event that retention removes, in the order of removal, after it is gone from the store. */
@FunctionalInterface
public interface RemovalListener {

    void removed(StreamState stream, EventHeader event, RemovalCause cause);
}
