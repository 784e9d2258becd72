package dev.ebb.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** The API as a client sees it: every answer is one, whatever its status. */
public final class Rest {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();

    private Rest() {}

    /** @param retryAfter the header of that name */
    public record Answer(int status, Optional<String> retryAfter, JsonNode body) {}

    /** @param path path behind the address, encoded */
    public static Answer get(URI instance, String path) throws IOException, InterruptedException {
        return send(request(instance, path).GET());
    }

    /** Sends JSON, or nothing if the body is empty. */
    public static Answer send(String method, URI instance, String path, String body)
            throws IOException, InterruptedException {
        return send(request(instance, path)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    private static HttpRequest.Builder request(URI instance, String path) {
        return HttpRequest.newBuilder(instance.resolve(path)).timeout(ANSWER);
    }

    private static Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.headers().firstValue("Retry-After"), json(response.body()));
    }

    private static JsonNode json(String body) {
        try {
            JsonNode read = JSON.readTree(body);
            return read == null ? MissingNode.getInstance() : read;
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
