package dev.ebb.api;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import java.util.List;

/**
 * What the broker has acknowledged; the topology takes it in a moment later.
 *
 * @param stream the stream it was sent to
 * @param sent the ids, in the order in which they were sent
 */
record SentView(String stream, List<String> sent) {

    static SentView of(List<Event> events) {
        String stream = events.get(0).stream().value();
        return new SentView(
                stream, events.stream().map(event -> event.id().value()).toList());
    }

    static SentView of(EventUpdate update) {
        return new SentView(update.stream().value(), List.of(update.id().value()));
    }
}
