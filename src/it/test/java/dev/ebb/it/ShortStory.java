package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The shortest story that touches everything of an instance: an event comes, a policy, a delete, and its record in the audit. */
public final class ShortStory {

    private static final Duration START = Duration.ofSeconds(120);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI api;

    /** @param api the address of an instance that asks for no token */
    public ShortStory(URI api) {
        this.api = api;
    }

    /** Waits until the instance is ready. */
    public void awaitReady() throws InterruptedException {
        Await.until("ready", START, () -> status("/health/ready") == 200 ? "" : body("/health/ready"));
    }

    /** Sends the event a/1 and a policy, and waits until the event is stored. */
    public void begin() throws InterruptedException {
        assertThat(send("POST", "/v1/streams/a/events", "{\"id\":\"1\",\"type\":\"t\"}")
                        .statusCode())
                .isEqualTo(202);
        assertThat(send("PUT", "/v1/policies/namespace:a", "{\"maxAge\":\"1d\"}")
                        .statusCode())
                .isEqualTo(200);
        Await.until("the event", () -> status("/v1/streams/a/events/1") == 200 ? "" : "not there");
    }

    /** Deletes the event, and waits for the audit of that. */
    public void end() throws InterruptedException {
        assertThat(send("DELETE", "/v1/streams/a/events/1?wait=20s", "").statusCode())
                .isEqualTo(200);
        assertThat(status("/v1/streams/a/events/1")).isEqualTo(404);
        Await.until("the audit", () -> body("/v1/audit?stream=a").contains("\"DELETE\"") ? "" : body("/v1/audit"));
    }

    /** Returns the status of an answer to a GET. */
    public int status(String path) {
        return send("GET", path, "").statusCode();
    }

    /** Returns the text of an answer to a GET. */
    public String body(String path) {
        return send("GET", path, "").body();
    }

    /** Sends a request, with that JSON if it is not empty. */
    public HttpResponse<String> send(String method, String path, String json) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api + path))
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        if (!json.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
