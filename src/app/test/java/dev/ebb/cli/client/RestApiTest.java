package dev.ebb.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as they reach a server, and answers as servers may give them. */
@Tag("R-8")
class RestApiTest {

    private static final RestPath PATH = RestPath.of("v1", "thing");

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private int status = 200;
    private String answer = "{\"text\":\"höl\uD83D\uDE80\"}";
    private RestApi api;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::serve);
        server.start();
        api = api(server.getAddress().getPort(), new Credentials("ebb_secret", null));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void shouldSendEachMethodWithItsBodyAndTheToken() {
        // given
        ObjectNode body = Json.object().put("a", "ü");

        // when
        api.get(PATH);
        api.delete(PATH);
        api.post(PATH);
        api.post(PATH, body);
        api.put(PATH, body);
        api.patch(PATH, body);
        api.postYaml(PATH, "a: ü\n");

        // then
        String rest = " /v1/thing Bearer ebb_secret application/json ";
        assertThat(requests)
                .containsExactly(
                        "GET" + rest + "null ",
                        "DELETE" + rest + "null ",
                        "POST" + rest + "null ",
                        "POST" + rest + "application/json {\"a\":\"ü\"}",
                        "PUT" + rest + "application/json {\"a\":\"ü\"}",
                        "PATCH" + rest + "application/json {\"a\":\"ü\"}",
                        "POST" + rest + "application/yaml a: ü\n");
    }

    @Test
    void shouldReadAnswersAsUtf8() {
        assertThat(api.get(PATH).path("text").textValue()).isEqualTo("höl\uD83D\uDE80");
    }

    /** The reasons of errors come with their answers, that of 401 as well, at which Java would ask for a password. */
    @Test
    void shouldTellTheReasonOfAnError() {
        // given
        answer = "{\"detail\":\"the reason\"}";
        for (int code : List.of(400, 401, 403, 404, 407, 500, 503)) {
            status = code;

            // then
            assertThatThrownBy(() -> api.get(PATH)).as("%d", code).hasMessage("the reason");
            assertThatThrownBy(() -> api.post(PATH, Json.object()))
                    .as("%d", code)
                    .hasMessage("the reason");
        }
    }

    @Test
    void shouldFindNothingWhereNothingIs() {
        // given
        status = 404;

        // then
        assertThat(api.find(PATH).isEmpty()).isTrue();
    }

    /** The token would go to wherever the answer points. */
    @Test
    void shouldFollowNoRedirect() {
        // given
        status = 302;
        answer = "";

        // then
        assertThatThrownBy(() -> api.get(PATH)).isInstanceOf(CommandFailure.class);
        assertThat(requests).hasSize(1);
    }

    /** What a command asks for is done once, or it is said that it may not have been done. */
    @Test
    void shouldSendNoPostTwice() throws IOException, InterruptedException {
        // given
        AtomicInteger calls = new AtomicInteger();
        try (ServerSocket breaking = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> breakAll(breaking, calls));
            thread.start();
            RestApi broken = api(breaking.getLocalPort(), Credentials.NONE);

            // when
            assertThatThrownBy(() -> broken.post(PATH, Json.object())).hasMessageContaining("cannot reach");
            assertThatThrownBy(() -> broken.post(PATH)).hasMessageContaining("cannot reach");

            // then
            breaking.close();
            thread.join();
        }
        assertThat(calls).hasValue(2);
    }

    /** Answers in each form that the protocol has, of which our server gives one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK|Content-Length: 12||{'text':'a'}",
                "HTTP/1.1 200|content-length:12||{'text':'a'}rest",
                "HTTP/1.0 200 OK||{'text':'a'}",
                "HTTP/1.1 100 Continue||HTTP/1.1 103 Early Hints|Link: x||HTTP/1.1 200 OK|Content-Length:"
                        + " 12||{'text':'a'}",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5;x=y|{'tex|06|t':'a'|1|}|0|Trailer: x||"
            })
    void shouldReadAnswersInEachForm(String text) throws IOException {
        assertThat(canned(text).get(PATH).path("text").textValue()).isEqualTo("a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '^',
            value = {
                "SSH-2.0-OpenSSH_9.2|; does not answer like Ebb (no HTTP)",
                "HTTP/2 200||{}; does not answer like Ebb (no HTTP)",
                "HTTP/1.1 200 OK|Content-Length: 6||<html>; does not answer like Ebb (HTTP 200)",
                "HTTP/1.1 200 OK|Content-Length: 13||{'text':'a'}; cannot reach the application",
                "HTTP/1.1 200 OK|Content-Length: -1||{}; cannot reach the application",
                "HTTP/1.1 200 OK|Content-Length: many||{}; cannot reach the application",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|{}|; cannot reach the application",
                "HTTP/1.1 200 OK|no header||{}; cannot reach the application",
                "^^; cannot reach the application"
            })
    void shouldTakeNothingElseForAnAnswer(String text, String message) throws IOException {
        // given
        RestApi foreign = canned(text);

        // then
        assertThatThrownBy(() -> foreign.get(PATH))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldReadAnAnswerWithoutContent() throws IOException {
        assertThat(canned("HTTP/1.1 204 No Content||").delete(PATH).isMissingNode())
                .isTrue();
    }

    @Test
    void shouldSayThatAServerSpeaksNoTls() throws IOException {
        // given: a server that answers what it does not understand
        int port = serving(socket -> {
            socket.getInputStream().readNBytes(5);
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        });
        RestApi tls = new RestApi(ApiAddress.parse("https://127.0.0.1:" + port, "the test"), terminal());

        // then
        assertThatThrownBy(() -> tls.get(PATH)).hasMessageContaining("does not speak TLS");
    }

    /** An answer that goes on and on has an end, and so has a request that is not read. */
    @ParameterizedTest
    @CsvSource({"HTTP/1.1 200 OK|Content-Le, 2", "HTTP/1.0 200 OK||{, 2", "'', 20000000"})
    void shouldWaitNoLongerThanItsLimit(String beginning, int length) throws IOException {
        // given: a server that sends the beginning of an answer, reads no body, and closes when the caller does
        int port = serving(socket -> {
            readHead(socket);
            socket.getOutputStream().write(beginning.replace("|", "\r\n").getBytes(StandardCharsets.UTF_8));
            awaitInterrupt();
        });
        ApiAddress address = ApiAddress.parse("http://127.0.0.1:" + port, "the test");
        RestApi hasty = new RestApi(address, Credentials.NONE, terminal(), Duration.ofMillis(300));

        // then
        assertThatThrownBy(() -> hasty.post(PATH, Json.object().put("long", "x".repeat(length))))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("has not answered in time: not all of it arrived within 300ms")
                .hasMessageContaining("check before you send it again");
    }

    private static void awaitInterrupt() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + exchange.getRequestHeaders().getFirst("Accept") + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " " + body);
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Asks a server that gives this answer, with ends of lines for bars, and then closes the connection. */
    private RestApi canned(String text) throws IOException {
        byte[] bytes = text.replace("|", "\r\n").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        int port = serving(socket -> {
            readHead(socket);
            socket.getOutputStream().write(bytes);
        });
        return api(port, Credentials.NONE);
    }

    private interface Server {
        void answer(Socket socket) throws IOException;
    }

    /** The port of a server that serves one caller. */
    private static int serving(Server server) throws IOException {
        ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            try (one;
                    Socket socket = one.accept()) {
                server.answer(socket);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return one.getLocalPort();
    }

    /** Reads the head of each request, and closes the connection. */
    private static void breakAll(ServerSocket server, AtomicInteger calls) {
        while (true) {
            try (Socket socket = server.accept()) {
                calls.incrementAndGet();
                readHead(socket);
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void readHead(Socket socket) throws IOException {
        int last = 0;
        while (last != 0x0D0A0D0A) {
            last = (last << 8) | socket.getInputStream().read();
        }
    }

    private static RestApi api(int port, Credentials credentials) {
        return new RestApi(ApiAddress.parse("http://127.0.0.1:" + port, "the test"), credentials, terminal());
    }

    private static Terminal terminal() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return Terminal.plain(nowhere, nowhere);
    }
}
