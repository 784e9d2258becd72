package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.ebb.api.access.TokenSecret;
import dev.ebb.api.access.Tokens;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.connection.ApiLimits.Connections;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.http.Audience;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client with many connections, or with slow ones, shuts no other client out. */
class ConnectionsTest {

    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofHours(1);
    private static final String EVENTS = "POST /v1/streams/s/events HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: 1000000\r\n";

    @TempDir
    private Path folder;

    private final String secret = TokenSecret.generate();
    private final List<Socket> sockets = new ArrayList<>();
    private ApiServer server;

    @BeforeEach
    void writeToken() throws IOException {
        Files.writeString(folder.resolve("tokens"), "anna admin " + TokenSecret.hash(secret) + "\n");
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @Test
    @Tag("O-18")
    void shouldAnswerAtAnAddressThatHoldsAllItsConnectionsOpen() throws IOException {
        // given: each of them has begun a request
        serve(new Connections(100, 5, LONG, LONG, LONG, LONG));
        for (int i = 0; i < 50; i++) {
            send(open("127.0.0.1"), "GET /health/live HTTP/1.1\r\nHost: loc");
        }
        awaitClosed(45);

        // then
        assertThat(answer(server.port(), "/health/live")).startsWith("HTTP/1.1 200");
        assertThat(answer(server.port(), "/v1/policies")).startsWith("HTTP/1.1 200");
        awaitClosed(46);
    }

    @Test
    @Tag("O-18")
    void shouldAnswerWhereOthersHoldAllConnectionsOpen() throws IOException {
        // given
        serve(new Connections(10, 5, LONG, LONG, LONG, LONG));
        for (int i = 2; i < 40; i++) {
            open("127.0.0." + i);
        }

        // then
        assertThat(answer(server.port(), "/health/live")).startsWith("HTTP/1.1 200");
        assertThat(answer(server.port(), "/v1/policies")).startsWith("HTTP/1.1 200");
    }

    @Test
    @Tag("O-18")
    void shouldAnswerProbesWhereTheApiCanTakeNoMore() throws IOException {
        // given: requests that were let in, whose bodies never come
        serve(new Connections(100, 2, LONG, LONG, LONG, LONG));
        for (int i = 0; i < 2; i++) {
            Socket socket = open("127.0.0.1");
            send(socket, EVENTS + "Expect: 100-continue\r\n" + token() + "\r\n");
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 100");
        }

        // then
        assertThat(refused()).isTrue();
        assertThat(answer(server.healthPort(), "/health/live")).startsWith("HTTP/1.1 200");
        assertThat(answer(server.healthPort(), "/health/ready")).startsWith("HTTP/1.1 200");
        assertThat(answer(server.healthPort(), "/health/started")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/status", "/v1/policies", "/metrics", "/openapi.json", "/"})
    @Tag("O-18")
    void shouldOfferNothingButHealthWhereProbesAsk(String path) throws IOException {
        serve(Connections.DEFAULT);

        assertThat(answer(server.healthPort(), path)).startsWith("HTTP/1.1 404");
    }

    @Test
    @Tag("O-18")
    void shouldAnswerProbesAtAnAddressThatHoldsTheirConnectionsOpen() throws IOException {
        // given
        serve(Connections.DEFAULT);
        for (int i = 0; i < 120; i++) {
            sockets.add(new Socket("127.0.0.1", server.healthPort()));
        }

        // then
        assertThat(answer(server.healthPort(), "/health/live")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /v1/sta", "GET /v1/policies HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", ""})
    void shouldEndHeadersThatComeByteByByte(String begin) throws IOException {
        // given
        serve(new Connections(100, 100, SHORT, LONG, LONG, LONG));

        // then
        assertThat(trickled(begin)).doesNotContain(" 200 ");
    }

    @Test
    void shouldEndTheHeadersOfTheNextRequestToo() throws IOException {
        // given: the first request has time enough on a busy machine, most of all when classes are loaded already
        serve(new Connections(100, 100, Duration.ofSeconds(2), Duration.ofMillis(100), LONG, LONG));
        answer(server.port(), "/health/live");

        // then
        assertThat(trickled("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/sta"))
                .containsOnlyOnce("HTTP/1.1 ")
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void shouldEndABodyThatComesByteByByte() throws IOException {
        // given
        serve(new Connections(100, 100, LONG, LONG, SHORT, LONG));

        // then
        assertThat(trickled(EVENTS + token() + "\r\n{")).doesNotContain(" 202 ");
    }

    /** The work for a request ends with its time; without that, the reading alone would go on for ever. */
    @Test
    void shouldEndTheWorkForACallerThatIsGone() throws Exception {
        // given
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        serve(new Connections(100, 100, LONG, LONG, LONG, SHORT), () -> {
            try {
                while (true) {
                    Audience.require();
                }
            } catch (RuntimeException e) {
                ended.complete(e);
                throw e;
            }
        });

        // when
        Socket socket = open("127.0.0.1");
        send(socket, "GET /v1/policies HTTP/1.1\r\nHost: localhost\r\n" + token() + "\r\n");

        // then
        assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(Audience.GoneException.class);
        assertThat(answer(server.port(), "/health/live")).startsWith("HTTP/1.1 200");
    }

    /** A thread soon gives up writing to a client that does not read, unless the request was let in. */
    @Test
    void shouldEndARefusedConnectionThatDoesNotRead() throws IOException {
        // given
        serve(new Connections(100, 100, SHORT, LONG, LONG, LONG));
        byte[] requests = "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .repeat(1000)
                .getBytes(StandardCharsets.US_ASCII);
        Socket socket = open("127.0.0.1");
        OutputStream out = socket.getOutputStream();

        // then: no other limit would end the writing, because all buffers are finite
        assertThatThrownBy(() -> {
                    while (true) {
                        out.write(requests);
                    }
                })
                .isInstanceOf(IOException.class);
    }

    private void serve(Connections connections) {
        serve(connections, () -> {});
    }

    private void serve(Connections connections, Runnable whenAskedForPolicies) {
        FakePorts ports = new FakePorts();
        ports.whenAskedForPolicies = whenAskedForPolicies;
        ApiLimits limits = new ApiLimits(8, 500, connections, 16 << 10);
        server = new ApiServer(
                ports.ports(),
                ApiSettings.at("127.0.0.1", 0).withHealth("127.0.0.1", 0),
                new ApiSecurity(new Tokens(folder.resolve("tokens")), null, Set.of(), limits),
                LoneServer.peers());
        server.start();
    }

    private String token() {
        return "Authorization: Bearer " + secret + "\r\n";
    }

    private Socket open(String from) throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), server.port(), InetAddress.getByName(from), 0);
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Connections that have just come may still push a later one out, which has not been read from yet. */
    private void awaitClosed(long connections) {
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            while (sockets.stream().filter(ConnectionsTest::isClosed).count() < connections) {
                Thread.onSpinWait();
            }
        });
    }

    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private String answer(int port, String path) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            send(socket, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + token() + "Connection: close\r\n\r\n");
            return readAll(socket);
        }
    }

    /** Returns true if a further connection is closed without an answer. */
    private boolean refused() {
        try {
            return answer(server.port(), "/health/live").isEmpty();
        } catch (IOException e) {
            return true;
        }
    }

    private static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    /**
     * Returns the answer to a request that begins with {@code begin} and trickles on until the server takes no more.
     */
    private String trickled(String begin) throws IOException {
        Socket socket = open("127.0.0.1");
        send(socket, begin);
        Thread trickle = new Thread(() -> trickle(socket));
        trickle.setDaemon(true);
        trickle.start();
        StringBuilder answer = new StringBuilder();
        try (InputStream in = socket.getInputStream()) {
            for (int next = in.read(); next >= 0; next = in.read()) {
                answer.append((char) next);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset");
        }
        return answer.toString();
    }

    private static void trickle(Socket socket) {
        try {
            while (true) {
                socket.getOutputStream().write('x');
                Thread.sleep(50);
            }
        } catch (IOException | InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
