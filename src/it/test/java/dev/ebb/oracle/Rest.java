package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Reads what the instances hold, all pages. */
final class Rest {

    private static final int PAGE = 1000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Set<Integer> LATER = Set.of(429, 502, 503, 504);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final OracleSources sources;

    Rest(OracleSources sources) {
        this.sources = sources;
    }

    /** All events, due ones included: the streams from each instance, the events of a stream from one in turn. */
    List<Row> events(Consumer<String> faults) {
        if (sources.instances().isEmpty()) {
            throw new IllegalStateException("no instance runs that could say what it holds");
        }
        List<String> streams = streams(sources.instances().get(0));
        for (URI other : sources.instances()) {
            List<String> theirs = streams(other);
            if (!theirs.equals(streams)) {
                faults.accept(other + " names " + theirs.size() + " streams, "
                        + sources.instances().get(0) + " " + streams.size() + ", or others");
            }
        }
        List<Row> events = new ArrayList<>();
        for (int i = 0; i < streams.size(); i++) {
            URI instance = sources.instances().get(i % sources.instances().size());
            String path = "/v1/streams/" + encode(streams.get(i)) + "/events?include-expired=true&limit=" + PAGE;
            pages(instance, path, page -> page.path("events")
                    .forEach(event -> Unexplained.runs(
                            () -> instance + " " + event.path("stream") + " " + event.path("id"),
                            faults,
                            () -> events.add(Row.ofRest(event)))));
        }
        return events;
    }

    private List<String> streams(URI instance) {
        List<String> streams = new ArrayList<>();
        pages(instance, "/v1/streams?limit=" + PAGE, page -> page.path("streams")
                .forEach(stream -> streams.add(stream.path("stream").textValue())));
        return streams;
    }

    private void pages(URI instance, String path, Consumer<JsonNode> reader) {
        String after = null;
        do {
            JsonNode page = get(instance.resolve(after == null ? path : path + "&after=" + encode(after)));
            reader.accept(page);
            after = page.path("next").textValue();
        } while (after != null);
    }

    private JsonNode get(URI address) {
        Instant end = Instant.now().plus(PATIENCE);
        while (true) {
            HttpResponse<String> answer = send(address);
            if (answer.statusCode() == 200) {
                JsonNode body = Json.parse(answer.body());
                if (body.path("unanswered").isEmpty()) {
                    return body;
                }
            } else if (answer.statusCode() == 404) {
                return Json.parse("{}"); // a stream may go between its name and its events
            } else if (!LATER.contains(answer.statusCode())) {
                throw new IllegalStateException(address + " answers " + answer.statusCode() + ": " + answer.body());
            }
            if (Instant.now().isAfter(end)) {
                throw new IllegalStateException(
                        address + " still answers " + answer.statusCode() + ": " + answer.body());
            }
            pause();
        }
    }

    private HttpResponse<String> send(URI address) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(60));
        if (sources.bearerTokenOrNull() != null) {
            request.header("Authorization", "Bearer " + sources.bearerTokenOrNull());
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString(UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(address.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
