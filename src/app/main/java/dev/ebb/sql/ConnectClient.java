package dev.ebb.sql;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The calls of Connect's REST interface that the supervisor needs. An {@link IOException} means that Connect is away or
 * busy, or that it refused the request; the message contains nothing of the request. Thread-safe.
 */
final class ConnectClient {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int NOT_FOUND = 404;
    private static final int MAX_MESSAGE = 300;
    private static final String CLASS_SETTING = "connector.class";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final String root;

    ConnectClient(URI url) {
        String text = url.toString();
        root = text.endsWith("/") ? text : text + "/";
    }

    /** Returns the status answer for a connector; empty if there is no such connector. */
    Optional<JsonNode> status(String name) throws IOException {
        return get(name, "/status");
    }

    /** Returns the settings of a connector in Connect; empty if there is no such connector. */
    Optional<Map<String, String>> settings(String name) throws IOException {
        return get(name, "/config").map(json -> JSON.convertValue(json, new TypeReference<Map<String, String>>() {}));
    }

    /** Creates or changes the connector. */
    void put(ConnectorConfig config) throws IOException {
        String body = JSON.writeValueAsString(config.settings());
        HttpResponse<String> response = exchange(request(config.name(), "/config")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body)));
        String connector = config.settings().get(CLASS_SETTING);
        if (!isGood(response) && connector != null && !hasPlugin(connector)) {
            throw new IOException("the Connect worker has no plugin with " + connector
                    + ": add the folder ebb-sink to its plugin path, or set connect.sink=debezium");
        }
        checked(response);
    }

    /** Returns true if the worker lists that class among its plugins, or does not list its plugins. */
    private boolean hasPlugin(String connector) throws IOException {
        HttpResponse<String> plugins = exchange(request("connector-plugins").GET());
        return !isGood(plugins)
                || JSON.readTree(plugins.body()).findValuesAsText("class").contains(connector);
    }

    /** Restarts the connector and its tasks, as far as they have failed. */
    void restartFailed(String name) throws IOException {
        checked(exchange(
                request(name, "/restart?includeTasks=true&onlyFailed=true").POST(BodyPublishers.noBody())));
    }

    private Optional<JsonNode> get(String name, String what) throws IOException {
        HttpResponse<String> response = exchange(request(name, what).GET());
        if (response.statusCode() == NOT_FOUND) {
            return Optional.empty();
        }
        return Optional.of(JSON.readTree(checked(response)));
    }

    private HttpRequest.Builder request(String name, String what) {
        String path = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        return request("connectors/" + path + what);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + path)).timeout(TIMEOUT);
    }

    private HttpResponse<String> exchange(HttpRequest.Builder request) throws IOException {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw new IOException("nothing answers at " + root, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String checked(HttpResponse<String> response) throws IOException {
        if (!isGood(response)) {
            throw new IOException("HTTP " + response.statusCode() + ": " + message(response.body()));
        }
        return response.body();
    }

    private static boolean isGood(HttpResponse<String> response) {
        return response.statusCode() / 100 == 2;
    }

    /**
     * Returns the message in Connect's answer to a fault, which repeats the name of a refused setting but not its
     * value.
     */
    private static String message(String body) {
        try {
            String message = JSON.readTree(body).path("message").asText("");
            String line = message.strip().replaceAll("\\s*\\R\\s*", "; ");
            return line.length() > MAX_MESSAGE ? line.substring(0, MAX_MESSAGE) + "…" : line;
        } catch (IOException e) {
            return "no JSON";
        }
    }
}
