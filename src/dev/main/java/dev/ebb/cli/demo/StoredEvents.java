package dev.ebb.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Events in the state stores, read page by page through the application's REST interface. */
final class StoredEvents {

    private static final int PAGE = 1000;

    private final RestApi api;

    StoredEvents(RestApi api) {
        this.api = api;
    }

    /** Returns all events of all streams, sorted. */
    List<EventRef> read() {
        List<EventRef> events = new ArrayList<>();
        pages(() -> RestPath.of("v1", "streams"), page -> page.path("streams")
                .forEach(stream -> read(stream.path("stream").asText(), events)));
        Collections.sort(events);
        return events;
    }

    /** Reads the events of a stream. The stream may have gone since it was listed; then there is nothing to read. */
    private void read(String stream, List<EventRef> events) {
        pages(() -> RestPath.of("v1", "streams", stream, "events"), page -> page.path("events")
                .forEach(event ->
                        events.add(new EventRef(stream, event.path("id").asText()))));
    }

    private void pages(Supplier<RestPath> path, Consumer<JsonNode> reader) {
        String after = null;
        do {
            JsonNode page = api.find(path.get().with("limit", PAGE).with("after", after));
            reader.accept(page);
            after = page.path("next").textValue();
        } while (after != null);
    }
}
