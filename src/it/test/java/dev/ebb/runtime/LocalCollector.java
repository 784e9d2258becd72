package dev.ebb.runtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Takes what an instance exports to a collector of OpenTelemetry, and keeps the last of it. */
final class LocalCollector implements AutoCloseable {

    private final HttpServer server;
    private volatile String last = "";

    LocalCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/metrics", exchange -> {
            last = new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1);
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns the last export, whose names of meters and labels can be read as text. */
    String last() {
        return last;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
