package dev.ebb.it;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;

/** Contents of the state stores, read page by page through REST. */
record Stored(List<EventRow> events, List<Usage> usages) {

    /** Small and odd, so that pages end anywhere. */
    private static final int PAGE = 97;

    private static final int PAGE_OF_STREAMS = 7;

    /** Contents of a stream by the application, or by a recount. */
    record Usage(
            String stream,
            long events,
            long bytes,
            long protectedEvents,
            long infiniteEvents,
            long timedEvents,
            Long oldest,
            Long newest) {}

    /** Reads all streams; events that are due are left out unless they are asked for. */
    static Stored read(RestApi api, boolean includeExpired) {
        List<EventRow> events = new ArrayList<>();
        List<Usage> usages = new ArrayList<>();
        pages(api, () -> RestPath.of("v1", "streams").with("limit", PAGE_OF_STREAMS), page -> page.path("streams")
                .forEach(stream -> {
                    usages.add(usage(stream));
                    events.addAll(eventsOf(api, stream.path("stream").textValue(), includeExpired));
                }));
        return new Stored(events, usages);
    }

    static List<EventRow> eventsOf(RestApi api, String stream, boolean includeExpired) {
        List<EventRow> events = new ArrayList<>();
        pages(
                api,
                () -> RestPath.of("v1", "streams", stream, "events")
                        .with("limit", PAGE)
                        .withFlag("include-expired", includeExpired),
                page -> page.path("events").forEach(event -> events.add(EventRow.ofRest(event))));
        return events;
    }

    /** Counted anew from the events. */
    Collection<Usage> recount() {
        Map<String, Usage> counted = new TreeMap<>();
        events.forEach(row -> counted.merge(row.stream(), usageOf(row), Stored::plus));
        return counted.values();
    }

    private static Usage usage(JsonNode stream) {
        return new Usage(
                stream.path("stream").textValue(),
                stream.path("events").longValue(),
                stream.path("bytes").longValue(),
                stream.path("protectedEvents").longValue(),
                stream.path("infiniteEvents").longValue(),
                stream.path("timedEvents").longValue(),
                time(stream.path("oldest")),
                time(stream.path("newest")));
    }

    private static Usage usageOf(EventRow row) {
        boolean isInfinite = !row.isProtected() && row.noExpiration() && LoadPolicies.allowsInfinite(row.stream());
        boolean isFinite = row.ttlSeconds() != null || row.expiresAt() != null;
        boolean isTimed = !row.isProtected() && isFinite;
        Long anchor = row.isProtected() ? null : (Long) anchorMs(row);
        return new Usage(
                row.stream(),
                1,
                row.bytes(),
                row.isProtected() ? 1 : 0,
                isInfinite ? 1 : 0,
                isTimed ? 1 : 0,
                anchor,
                anchor);
    }

    private static long anchorMs(EventRow row) {
        return LoadPolicies.anchorOf(row.stream()).of(row.storedAt(), row.occurredAt(), row.completedAt());
    }

    private static Usage plus(Usage one, Usage other) {
        return new Usage(
                one.stream,
                one.events + other.events,
                one.bytes + other.bytes,
                one.protectedEvents + other.protectedEvents,
                one.infiniteEvents + other.infiniteEvents,
                one.timedEvents + other.timedEvents,
                edge(one.oldest, other.oldest, Math::min),
                edge(one.newest, other.newest, Math::max));
    }

    private static Long edge(Long one, Long other, LongBinaryOperator choice) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return choice.applyAsLong(one, other);
    }

    private static Long time(JsonNode json) {
        return json.isTextual() ? (Long) Instant.parse(json.textValue()).toEpochMilli() : null;
    }

    private static void pages(RestApi api, Supplier<RestPath> path, Consumer<JsonNode> reader) {
        String after = null;
        do {
            JsonNode page = api.find(path.get().with("after", after));
            reader.accept(page);
            after = page.path("next").textValue();
        } while (after != null);
    }
}
