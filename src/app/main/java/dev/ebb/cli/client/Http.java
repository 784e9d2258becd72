package dev.ebb.cli.client;

import dev.ebb.domain.time.Durations;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sends each request once (HTTP/1.1), on a connection of its own. Starting one of Java's clients takes longer than all
 * other work of a short command. Redirects are not followed, since the token would go along; proxies are not used.
 * Immutable.
 */
final class Http {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final int PORT = 80;
    private static final int TLS_PORT = 443;
    private static final String END = "\r\n";

    private final boolean isTls;
    private final @Nullable SSLContext tls;
    private final Map<String, String> headers;
    private final Duration limit;

    /**
     * Makes the client of one application.
     *
     * @param isTls true if requests use TLS
     * @param tls the certificates to trust; null for those that Java trusts
     * @param headers the headers of every request
     * @param limit the longest time from the first step to the last byte of an answer
     */
    Http(boolean isTls, @Nullable SSLContext tls, Map<String, String> headers, Duration limit) {
        this.isTls = isTls;
        this.tls = tls;
        this.headers = Map.copyOf(headers);
        this.limit = limit;
    }

    /**
     * A request.
     *
     * @param mediaType the media type of the body; null if there is none
     * @param body the body; null for none
     */
    record Request(
            String method,
            URI uri,
            @Nullable String mediaType,
            @Nullable String body) {}

    /**
     * Sends a request and returns its answer.
     *
     * @throws LateAnswerException if the answer is not complete in time
     * @throws IOException if there is no answer, or only a part of one
     */
    HttpAnswer send(Request request) throws IOException {
        try (Socket plain = new Socket(Proxy.NO_PROXY)) {
            Deadline deadline = Deadline.of(plain, limit);
            try (deadline;
                    Socket socket = connected(plain, request.uri())) {
                return exchange(socket, request);
            } catch (IOException e) {
                throw deadline.hasPassed()
                        ? new LateAnswerException(
                                "not all of it arrived within " + Durations.format(limit.toMillis()), e)
                        : e;
            }
        }
    }

    private HttpAnswer exchange(Socket socket, Request request) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        try {
            socket.getOutputStream().write(bytes(request));
            socket.getOutputStream().flush();
        } catch (IOException e) {
            return readInSpite(in, e);
        }
        try {
            return HttpAnswer.read(in);
        } catch (SocketTimeoutException e) {
            throw new LateAnswerException("nothing arrived for " + SILENCE.toSeconds() + " s", e);
        }
    }

    /**
     * Reads the answer although the request could not be sent whole: a server that does not want the whole body may
     * answer and close the connection.
     */
    private static HttpAnswer readInSpite(InputStream in, IOException unsent) throws IOException {
        try {
            return HttpAnswer.read(in);
        } catch (IOException e) {
            unsent.addSuppressed(e);
            throw unsent;
        }
    }

    private Socket connected(Socket socket, URI uri) throws IOException {
        // An IPv6 address stands in brackets.
        String host = uri.getHost().replaceAll("[\\[\\]]", "");
        int port = uri.getPort() >= 0 ? uri.getPort() : isTls ? TLS_PORT : PORT;
        socket.connect(new InetSocketAddress(host, port), (int) CONNECT.toMillis());
        socket.setSoTimeout((int) SILENCE.toMillis());
        return isTls ? encrypted(socket, host, port) : socket;
    }

    /** Encrypts the connection; the certificate must be for the requested name. */
    private Socket encrypted(Socket plain, String host, int port) throws IOException {
        SSLSocketFactory factory =
                tls == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : tls.getSocketFactory();
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private byte[] bytes(Request request) {
        URI uri = request.uri();
        String body = request.body() == null ? "" : request.body();
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        StringBuilder text = new StringBuilder(request.method()).append(' ').append(uri.getRawPath());
        if (uri.getRawQuery() != null) {
            text.append('?').append(uri.getRawQuery());
        }
        text.append(" HTTP/1.1").append(END);
        header(text, "Host", uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort()));
        header(text, "Connection", "close");
        headers.forEach((name, value) -> header(text, name, value));
        if (request.mediaType() != null) {
            header(text, "Content-Type", request.mediaType());
        }
        if (!request.method().equals("GET")) {
            header(text, "Content-Length", Integer.toString(length));
        }
        return text.append(END).append(body).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void header(StringBuilder text, String name, String value) {
        text.append(name).append(": ").append(value).append(END);
    }
}
