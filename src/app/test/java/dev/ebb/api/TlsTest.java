package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.access.Pem;
import dev.ebb.api.access.UnusableFileException;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.connection.ApiLimits.Connections;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSecurity.TlsFiles;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerAnswer;
import dev.ebb.api.peers.PeerClient;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.api.peers.PeerSettings;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TlsTest {

    @TempDir
    private static Path folder;

    private static TlsFiles files;

    @BeforeAll
    static void makeCertificate() throws Exception {
        files = certificate("tls");
    }

    private static TlsFiles certificate(String name) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "api",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        store.toString()))
                .inheritIO()
                .start();
        assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = new FileInputStream(store.toFile())) {
            keys.load(in, "changeit".toCharArray());
        }
        return new TlsFiles(
                pem(name + ".crt", "CERTIFICATE", keys.getCertificate("api").getEncoded()),
                pem(
                        name + ".key",
                        "PRIVATE KEY",
                        keys.getKey("api", "changeit".toCharArray()).getEncoded()));
    }

    @Test
    void shouldSpeakTlsToClientsThatTrustItsCertificate() throws Exception {
        try (ApiServer server = server()) {
            // given
            SSLContext trusting = trusting();
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + server.port() + "/v1/status"))
                    .build();

            // when
            HttpResponse<String> answer =
                    HttpClient.newBuilder().sslContext(trusting).build().send(request, BodyHandlers.ofString());

            // then
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).isPresent();
            assertThatThrownBy(() -> HttpClient.newHttpClient().send(request, BodyHandlers.ofString()))
                    .isInstanceOf(SSLException.class);
        }
    }

    @Test
    @Tag("O-17")
    void shouldBeAskedByOtherInstancesThatTrustItsCertificate() {
        try (ApiServer server = server()) {
            // given
            PeerQuestion question = new PeerQuestion("GET", "/v1/status", Map.of(), null, null);
            String address = "127.0.0.1:" + server.port();

            // when
            PeerAnswer trusted = ask(Pem.trusting(files.certificate()), address, question);

            // then
            assertThat(trusted.isGood()).isTrue();
            assertThat(ask(null, address, question).failure()).isNotNull();
        }
    }

    private static PeerAnswer ask(SSLContext tls, String address, PeerQuestion question) {
        return new PeerClient(PeerSettings.of("", tls), new PeerAccess(""))
                .ask(address, question)
                .join();
    }

    @Test
    void shouldTakeARenewedCertificateWhenBothFilesAreNew() throws Exception {
        // given
        TlsFiles old = certificate("old");
        TlsFiles renewed = certificate("renewed");
        Path crt = Files.copy(old.certificate(), folder.resolve("used.crt"));
        Path key = Files.copy(old.key(), folder.resolve("used.key"));
        AtomicLong nanos = new AtomicLong();
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStore(Pem.identity(crt, key));
        tls.setKeyStorePassword("");
        tls.start();
        RenewedCertificate listener = new RenewedCertificate(tls, new TlsFiles(crt, key), nanos::get);

        // when only the certificate is renewed
        Files.copy(renewed.certificate(), crt, StandardCopyOption.REPLACE_EXISTING);
        nanos.addAndGet(1_000_000_000);
        listener.handshakeSucceeded(null);

        // then
        assertThat(served(tls))
                .isEqualTo(Pem.identity(old.certificate(), old.key()).getCertificate("api"));

        // when the key is renewed too, within a second of the last look
        Files.copy(renewed.key(), key, StandardCopyOption.REPLACE_EXISTING);
        nanos.addAndGet(999_999_999);
        listener.handshakeFailed(null, new IOException("expired"));

        // then
        assertThat(served(tls))
                .isEqualTo(Pem.identity(old.certificate(), old.key()).getCertificate("api"));

        // when the second is over
        nanos.addAndGet(1);
        listener.handshakeFailed(null, new IOException("expired"));

        // then
        assertThat(served(tls))
                .isEqualTo(Pem.identity(renewed.certificate(), renewed.key()).getCertificate("api"));
        tls.stop();
    }

    private static Certificate served(SslContextFactory.Server tls) throws Exception {
        return tls.getKeyStore().getCertificate("api");
    }

    @Test
    void shouldServeTheRenewedCertificateToTheNextConnections() throws Exception {
        // given
        TlsFiles old = certificate("before");
        TlsFiles renewed = certificate("after");
        TlsFiles used = new TlsFiles(
                Files.copy(old.certificate(), folder.resolve("served.crt")),
                Files.copy(old.key(), folder.resolve("served.key")));
        try (ApiServer server = server(used)) {
            assertThat(isServed(server, old)).isTrue();

            // when
            Files.copy(renewed.certificate(), used.certificate(), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(renewed.key(), used.key(), StandardCopyOption.REPLACE_EXISTING);

            // then
            while (!isServed(server, renewed)) {
                Thread.onSpinWait();
            }
            assertThat(isServed(server, old)).isFalse();
        }
    }

    private static boolean isServed(ApiServer server, TlsFiles trusted) throws IOException {
        try (SSLSocket socket = (SSLSocket)
                Pem.trusting(trusted.certificate()).getSocketFactory().createSocket("localhost", server.port())) {
            socket.startHandshake();
            return true;
        } catch (SSLException e) {
            return false;
        }
    }

    @Test
    void shouldSpeakModernProtocolsOnlyAndNoPlainText() throws Exception {
        try (ApiServer server = server()) {
            for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
                try (SSLSocket socket =
                        (SSLSocket) trusting().getSocketFactory().createSocket("localhost", server.port())) {
                    socket.setEnabledProtocols(new String[] {protocol});
                    socket.startHandshake();
                    assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
                }
            }
            try (Socket socket = new Socket("127.0.0.1", server.port())) {
                socket.getOutputStream().write("GET /health/live HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                        .doesNotContain("200");
            }
        }
    }

    @Test
    void shouldEndAHandshakeThatIsNeverMade() throws Exception {
        // given
        Duration hour = Duration.ofHours(1);
        Connections impatient = new Connections(100, 100, Duration.ofMillis(300), hour, hour, hour);
        ApiSecurity security = new ApiSecurity(null, files, Set.of(), new ApiLimits(8, 500, impatient, 16 << 10));
        try (ApiServer server =
                new ApiServer(new FakePorts().ports(), ApiSettings.at("127.0.0.1", 0), security, LoneServer.peers())) {
            server.start();
            try (Socket socket = new Socket("127.0.0.1", server.port())) {
                // when: the first bytes of a handshake
                socket.getOutputStream().write(new byte[] {22, 3, 1});

                // then
                assertThat(socket.getInputStream().readAllBytes()).isEmpty();
            }
        }
    }

    /** The probe in a container asks over loopback, whatever name the certificate is for. */
    @Test
    void shouldAnswerTheProbeOfTheImage() throws Exception {
        Map<String, String> variables = new HashMap<>();
        variables.put("EBB_API_TLS_CERTIFICATE", files.certificate().toString());
        try (ApiServer server = server()) {
            variables.put("EBB_API_LISTEN", "0.0.0.0:" + server.port());

            assertThat(ProbesTest.health(variables)).isZero();
            variables.remove("EBB_API_TLS_CERTIFICATE");
            assertThat(ProbesTest.health(variables)).isNotZero();
            variables.put("EBB_API_TLS_CERTIFICATE", files.certificate().toString());
        }
        assertThat(ProbesTest.health(variables)).isEqualTo(2);
    }

    @Test
    void shouldNameTheFaultOfAFile() throws Exception {
        // given
        Path notPem = Files.writeString(folder.resolve("not.pem"), "secret words");
        Path oldKey = Files.writeString(folder.resolve("old.key"), "-----BEGIN EC PRIVATE KEY-----\nAAAA\n");

        // then
        assertThatThrownBy(() -> Pem.identity(notPem, files.key()))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageContaining("not.pem")
                .hasMessageNotContaining("secret words");
        assertThatThrownBy(() -> Pem.identity(files.certificate(), oldKey)).hasMessageContaining("openssl pkcs8");
        TlsFiles other = certificate("other");
        assertThatThrownBy(() -> Pem.identity(files.certificate(), other.key())).hasMessageContaining("does not match");
        assertThatThrownBy(() -> Pem.identity(folder.resolve("none"), files.key()))
                .hasMessageContaining("cannot be read");
    }

    private static ApiServer server() {
        return server(files);
    }

    private static ApiServer server(TlsFiles files) {
        ApiServer server = new ApiServer(
                new FakePorts().ports(),
                ApiSettings.at("127.0.0.1", 0),
                new ApiSecurity(null, files, Set.of(), ApiLimits.DEFAULT),
                LoneServer.peers());
        server.start();
        return server;
    }

    private static SSLContext trusting() throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(Pem.trusted(files.certificate()));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static Path pem(String name, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
