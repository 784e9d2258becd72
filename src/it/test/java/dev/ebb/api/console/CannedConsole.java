package dev.ebb.api.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The files of the console before answers that a test has written: what a page makes of them needs no services. */
public final class CannedConsole implements AutoCloseable {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final ConsoleFiles files = ConsoleFiles.load();
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    public CannedConsole() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The address of a module of the page. */
    public String module(String name) {
        return "/console/" + files.version() + "/" + name;
    }

    /** Answers requests for that path so; with a query for those with this query alone. */
    public CannedConsole answer(String path, String json) {
        answers.put(path, json);
        return this;
    }

    /** The requests so far, with their queries. */
    public List<String> asked() {
        return asked;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        String whole = exchange.getRequestURI().toString();
        ConsoleFile file = path.equals("/")
                ? files.page()
                : files.find(path.substring(path.lastIndexOf('/') + 1)).orElse(null);
        if (file != null) {
            send(exchange, OK, file.mediaType(), file.plain());
            return;
        }
        asked.add(exchange.getRequestMethod() + " " + whole);
        String json = answers.getOrDefault(whole, answers.get(path));
        send(
                exchange,
                json == null ? NOT_FOUND : OK,
                "application/json",
                (json == null ? "{\"title\":\"Not found\"}" : json).getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
