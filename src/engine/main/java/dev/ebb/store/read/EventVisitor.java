package dev.ebb.store.read;

import dev.ebb.domain.event.StoredEvent;

/** Receives the events of a list. */
@FunctionalInterface
public interface EventVisitor {

    /** Visits one event; returns false to end the visit before this event, which a later visit shows again. */
    boolean event(StoredEvent event);
}
