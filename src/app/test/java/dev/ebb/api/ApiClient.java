package dev.ebb.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Talks to a server under test. */
public final class ApiClient {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final int port;

    public ApiClient(int port) {
        this.port = port;
    }

    public record Answer(int status, String mediaType, HttpResponse<String> response) {

        public JsonNode json() {
            try {
                return MAPPER.readTree(response.body());
            } catch (IOException e) {
                throw new AssertionError("not JSON: " + response.body(), e);
            }
        }
    }

    /** A name as one segment of a path. */
    public static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace(".", "%2E");
    }

    public Answer get(String path) {
        return send("GET", path, null, "");
    }

    public Answer send(String method, String path, String contentType, String body) {
        return sendWith(method, path, contentType == null ? Map.of() : Map.of("Content-Type", contentType), body);
    }

    public Answer sendWith(String method, String path, Map<String, String> headers, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        try {
            HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The answer to a request line that no well-behaved client sends. */
    String raw(String method, String path) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            String request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
