package dev.ebb.devstack;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** Stands in for {@code ebb run}: answers the health question on the address of its settings file, and no more. */
public final class AppStub {
    private AppStub() {}

    /** Way in which the stub is run. */
    public static List<String> program() {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(java, "-cp", System.getProperty("java.class.path"), AppStub.class.getName());
    }

    public static void main(String[] args) throws Exception {
        System.out.println("arguments " + String.join(" ", args));
        var settings = new Properties();
        try (var file = Files.newBufferedReader(Path.of(args[1]))) {
            settings.load(file);
        }
        var port = Integer.parseInt(settings.getProperty("api.listen").split(":", -1)[1]);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
        server.createContext("/health/ready", exchange -> exchange.sendResponseHeaders(200, -1));
        server.start();
    }
}
