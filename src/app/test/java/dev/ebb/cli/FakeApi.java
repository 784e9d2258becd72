package dev.ebb.cli;

import com.sun.net.httpserver.HttpServer;
import dev.ebb.wire.WireJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Answers requests with the answers that a test prepared, and remembers them. Registered as an extension, it ends with
 * the test.
 */
public final class FakeApi implements AfterEachCallback, AutoCloseable {

    private final HttpServer server;
    private final Map<String, Answer> answers = new LinkedHashMap<>();
    private volatile Answer otherwise;
    private final List<Request> requests = new ArrayList<>();
    private final List<String> authorizations = new ArrayList<>();

    public record Request(String method, String uri, String body) {}

    private record Answer(int status, String body) {}

    public FakeApi() {
        server = open();
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String uri = exchange.getRequestURI().toString();
            authorizations.add(String.join(",", exchange.getRequestHeaders().getOrDefault("Authorization", List.of())));
            requests.add(new Request(exchange.getRequestMethod(), uri, body));
            Answer answer = answer(exchange.getRequestMethod() + " " + uri).orElseGet(() -> otherwise(uri));
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    private static HttpServer open() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public FakeApi answer(String request, int status, String body) {
        answers.put(request, new Answer(status, body));
        return this;
    }

    /** Prepares an answer with status 200, written as the application writes it. */
    public FakeApi answer(String request, Object view) {
        return answer(request, 200, view);
    }

    /** Prepares an answer, written as the application writes it. */
    public FakeApi answer(String request, int status, Object view) {
        return answer(request, status, new String(WireJson.bytes(view), StandardCharsets.UTF_8));
    }

    /** Sets the answer to each request without an answer of its own. */
    FakeApi otherwise(int status, String body) {
        otherwise = new Answer(status, body);
        return this;
    }

    /** That answer, as the application would write it. */
    FakeApi otherwise(int status, Object view) {
        return otherwise(status, new String(WireJson.bytes(view), StandardCharsets.UTF_8));
    }

    /** Returns the answer to exactly this request, or to those that begin so where a prepared one ends with an asterisk. */
    private Optional<Answer> answer(String request) {
        return Optional.ofNullable(answers.get(request)).or(() -> answers.entrySet().stream()
                .filter(one -> one.getKey().endsWith("*")
                        && request.startsWith(
                                one.getKey().substring(0, one.getKey().length() - 1)))
                .map(Map.Entry::getValue)
                .findFirst());
    }

    private Answer otherwise(String uri) {
        Answer prepared = otherwise;
        return prepared == null ? new Answer(404, "{\"detail\":\"nothing at " + uri + "\"}") : prepared;
    }

    public List<Request> requests() {
        return requests;
    }

    /** Returns the header of that name of each request, empty where a request has none. */
    List<String> authorizations() {
        return authorizations;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Runs a command against this server. */
    public CommandRun run(String... args) {
        return CommandRun.of(Map.of("EBB_API_URL", url()), "", Path.of("target", "no-home"), args);
    }

    /** Runs a command against this server for a person who types {@code in}. */
    CommandRun typed(String in, String... args) {
        return CommandRun.typed(Map.of("EBB_API_URL", url()), in, args);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
