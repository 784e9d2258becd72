package dev.ebb.secured;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A proxy that speaks TLS with a certificate of its own and lets only those through who send the expected secret. */
public final class GuardedProxy implements AutoCloseable {

    private final HttpsServer server;
    private final CertificateFiles certificate;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String behind;
    private final String authorization;

    /**
     * Starts it.
     *
     * @param folder a folder for its certificate
     * @param behind the address of the service behind it
     * @param authorization the expected value of the header {@code Authorization}
     */
    public GuardedProxy(Path folder, String behind, String authorization) throws IOException, GeneralSecurityException {
        this.behind = behind;
        this.authorization = authorization;
        certificate = CertificateFiles.make(folder, "proxy");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls(folder.resolve("proxy.p12"))));
        server.createContext("/", this::answer);
        server.start();
    }

    public URI url() {
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Returns the file of its certificate. */
    public Path certificate() {
        return certificate.certificate();
    }

    private static SSLContext tls(Path store) throws IOException, GeneralSecurityException {
        char[] password = "changeit".toCharArray();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, password);
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, password);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(factory.getKeyManagers(), null, null);
        return tls;
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (!authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
            return;
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(behind + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        if (body.length > 0) {
            request.header("Content-Type", "application/json");
        }
        try {
            HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
