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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/**
 * The calls of Connect's REST interface that the supervisor needs. An {@link IOException} means that Connect is away or
 * busy, or that it refused the request; the message contains nothing of the request. Thread-safe.
 */
final class ConnectClient {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int MAX_MESSAGE = 300;
    private static final String CLASS_SETTING = "connector.class";

    private final HttpClient http;
    private final List<String> roots;
    private final Optional<ConnectLogin> login;

    /** Number of the address that has answered last. */
    private volatile int answering;

    ConnectClient(ConnectAccess access) {
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        access.tls().ifPresent(builder::sslContext);
        http = builder.build();
        login = access.login();
        roots = access.urls().stream()
                .map(URI::toString)
                .map(text -> text.endsWith("/") ? text : text + "/")
                .toList();
    }

    /** Returns the addresses that are asked, with commas between them. */
    String addresses() {
        return String.join(",", roots);
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
        HttpResponse<String> response =
                exchange(path(config.name(), "/config"), request -> request.header("Content-Type", "application/json")
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
        HttpResponse<String> plugins = exchange("connector-plugins", HttpRequest.Builder::GET);
        return !isGood(plugins) || classes(plugins.body()).contains(connector);
    }

    /** Returns the classes of the connectors that the worker offers. */
    Set<String> plugins() throws IOException {
        return classes(checked(exchange("connector-plugins", HttpRequest.Builder::GET)));
    }

    private static Set<String> classes(String plugins) throws IOException {
        return Set.copyOf(JSON.readTree(plugins).findValuesAsText("class"));
    }

    /** Restarts the connector and its tasks, as far as they have failed. */
    void restartFailed(String name) throws IOException {
        checked(exchange(
                path(name, "/restart?includeTasks=true&onlyFailed=true"),
                request -> request.POST(BodyPublishers.noBody())));
    }

    private Optional<JsonNode> get(String name, String what) throws IOException {
        HttpResponse<String> response = exchange(path(name, what), HttpRequest.Builder::GET);
        if (response.statusCode() == NOT_FOUND) {
            return Optional.empty();
        }
        return Optional.of(JSON.readTree(checked(response)));
    }

    private static String path(String name, String what) {
        return "connectors/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20") + what;
    }

    /** Sends a request to the address that answered last, and to the others in turn while nothing answers. */
    private HttpResponse<String> exchange(String path, UnaryOperator<HttpRequest.Builder> method) throws IOException {
        int first = answering;
        for (int i = 0; i < roots.size(); i++) {
            int number = (first + i) % roots.size();
            Optional<HttpResponse<String>> response = tried(roots.get(number) + path, method);
            if (response.isPresent()) {
                answering = number;
                return response.get();
            }
        }
        throw new IOException("nothing answers at " + String.join(", ", roots));
    }

    /** Returns the answer; empty if nothing listens there. */
    private Optional<HttpResponse<String>> tried(String url, UnaryOperator<HttpRequest.Builder> method)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT);
        if (login.isPresent()) {
            request.header("Authorization", login.get().header());
        }
        try {
            return Optional.of(http.send(method.apply(request).build(), BodyHandlers.ofString()));
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return Optional.empty();
        } catch (SSLException e) {
            throw new IOException("no trust in " + url + ": " + e.getMessage() + "; connect.ca.file names its CA", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String checked(HttpResponse<String> response) throws IOException {
        if (response.statusCode() == UNAUTHORIZED || response.statusCode() == FORBIDDEN) {
            throw new IOException("HTTP " + response.statusCode()
                    + ": Connect does not accept who asks; set connect.auth and connect.auth.file");
        }
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
