package dev.ebb.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.StreamName;
import java.util.List;

/** Events in the bodies of requests. */
final class EventBodies {

    private EventBodies() {}

    static List<Event> events(StreamName stream, JsonNode body) {
        throw new UnsupportedOperationException();
    }

    static EventUpdate update(StreamName stream, EventId id, JsonNode body) {
        throw new UnsupportedOperationException();
    }
}
