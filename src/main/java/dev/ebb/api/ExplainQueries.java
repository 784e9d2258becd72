package dev.ebb.api;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.Place;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Knows what the decision about an event depends on (O-15). Thread-safe; throws what {@link EventQueries} throws. */
public interface ExplainQueries {

    /** How the event stands, due or not; empty if it is not stored. */
    Optional<Standing> standing(StreamName stream, EventId id);

    /**
     * How an event stands.
     *
     * @param place where it stands in its stream
     * @param isHeld whether a hold covers it
     * @param execution the execution it belongs to; null for the implicit one
     */
    record Standing(
            StoredEvent event,
            Place place,
            boolean isHeld,
            @Nullable Execution execution) {

        /** The event as its execution makes it. */
        EventFacts facts() {
            return execution == null || execution.number() == 0 ? event : new ExecutedEvent(event, execution);
        }
    }
}
