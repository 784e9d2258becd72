package dev.ebb.store.due;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.store.layout.Position;
import org.jspecify.annotations.Nullable;

/** Receives the events that age and own TTLs take. A visitor that wants only some of them says which. */
@FunctionalInterface
public interface DueVisitor {

    /** Visits one event; returns false to end the visit before this event, which a later visit shows again. */
    boolean due(DueEvent event);

    /** Asked at each look at an execution or an event; returns false to end the visit. */
    default boolean goesOn() {
        return true;
    }

    /** Returns the mark after which events are wanted; null for all. Earlier events may be shown as well. */
    default @Nullable DueMark after() {
        return null;
    }

    /** Returns the last millisecond from which events are wanted; at most {@code untilMs}. */
    default long lastWantedMs(long untilMs) {
        return untilMs;
    }

    /** Returns true if an event that goes at that time or later, and lies at that position or later, may be wanted. */
    default boolean mayWant(StreamName stream, long lastMs, Position position) {
        return true;
    }
}
