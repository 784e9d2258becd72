package dev.ebb.store.due;

/** Receives the events that age and own TTLs take. */
@FunctionalInterface
public interface DueVisitor {

    /** Visits one event; returns false to end the visit before this event, which a later visit shows again. */
    boolean due(DueEvent event);
}
