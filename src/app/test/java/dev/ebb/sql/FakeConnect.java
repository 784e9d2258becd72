package dev.ebb.sql;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Answers like Connect's REST as far as the supervisor asks; a test sets the state of the connectors. */
final class FakeConnect implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    final Map<String, Map<String, String>> configs = new ConcurrentHashMap<>();
    final List<String> calls = new ArrayList<>();
    volatile boolean hasTasks = true;
    volatile String taskState = "RUNNING";
    volatile String trace = "";
    volatile int refuseWith;
    volatile String refused = "";
    volatile String refusal = "rebalance\\nin progress";
    volatile List<String> plugins = List.of("dev.ebb.Sink");
    volatile String authorization = "";

    private final HttpServer server;

    FakeConnect() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    ConnectAccess access() {
        return new ConnectAccess(List.of(url()), Optional.empty(), Optional.empty());
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        Path path = Path.of(exchange.getRequestURI().getPath());
        String name = path.getName(path.getNameCount() > 1 ? 1 : 0).toString();
        String call = exchange.getRequestMethod() + " " + path.getFileName();
        calls.add(call);
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (!authorization.isEmpty()
                && !authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            send(exchange, 401, "{}");
        } else if (refuseWith > 0 && call.startsWith(refused)) {
            send(exchange, refuseWith, "{\"error_code\":" + refuseWith + ",\"message\":\"" + refusal + "\"}");
        } else if (call.equals("PUT config")) {
            Map<String, String> config = JSON.readValue(body, new TypeReference<>() {});
            config.put("name", name);
            configs.put(name, config);
            send(exchange, 201, "{}");
        } else if (call.equals("GET connector-plugins")) {
            send(
                    exchange,
                    200,
                    JSON.writeValueAsString(plugins.stream()
                            .map(plugin -> Map.of("class", plugin, "type", "sink"))
                            .toList()));
        } else if (!configs.containsKey(name)) {
            send(exchange, 404, "{\"message\":\"no such connector\"}");
        } else if (call.equals("GET config")) {
            send(exchange, 200, JSON.writeValueAsString(configs.get(name)));
        } else {
            send(exchange, 200, status());
        }
    }

    private String status() throws IOException {
        return JSON.writeValueAsString(Map.of(
                "connector",
                Map.of("state", "RUNNING"),
                "tasks",
                hasTasks ? List.of(Map.of("id", 0, "state", taskState, "trace", trace)) : List.of()));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
