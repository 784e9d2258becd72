package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.access.TokenSecret;
import dev.ebb.api.access.Tokens;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Probes of container platforms ask for paths that the API answers. */
@Tag("O-18")
class ProbesTest {

    private static final Path DOCKER = Path.of(System.getProperty("ebb.home", ""), "docker");

    @Test
    void shouldServeThePathsThatDeploymentsAskFor() throws IOException {
        Set<String> asked = new TreeSet<>();
        asked.addAll(found("kubernetes/base/stateful-set.yaml", "path: (/health/\\w+)"));
        asked.addAll(found("kubernetes/base/stateful-set.yaml", "prometheus.io/path: (/\\w+)"));
        asked.addAll(found("compose.yaml", "\"ebb-(health)\", \"(\\w+)\""));
        asked.addAll(found("Dockerfile", "\"ebb-(health)\", \"(\\w+)\""));
        assertThat(found("image/ebb-health", "GET (/health/)%s")).isNotEmpty();

        try (ApiServer server = LoneServer.of(new FakePorts().ports(), ApiSettings.at("127.0.0.1", 0))) {
            assertThat(asked)
                    .containsExactlyInAnyOrder("/health/live", "/health/ready", "/health/started", "/metrics")
                    .allSatisfy(path -> assertThat(LoneServer.served(server)).contains("GET " + path));
        }
    }

    /** The probe of the image, as Docker runs it, at an instance that asks for tokens. */
    @Test
    void shouldAskWithoutAToken(@TempDir Path folder) throws Exception {
        Path tokens = Files.writeString(
                folder.resolve("tokens"),
                "anna admin " + TokenSecret.hash(TokenSecret.generate()) + System.lineSeparator());
        ApiSecurity security = new ApiSecurity(new Tokens(tokens), null, Set.of(), ApiLimits.DEFAULT);
        int port;
        try (ApiServer server =
                new ApiServer(new FakePorts().ports(), ApiSettings.at("127.0.0.1", 0), security, LoneServer.peers())) {
            server.start();
            port = server.port();

            assertThat(health(Map.of("EBB_API_LISTEN", "0.0.0.0:" + port))).isZero();
            Path settings = Files.writeString(folder.resolve("ebb.properties"), "api.listen = 0.0.0.0:" + port + "\n");
            assertThat(health(Map.of("EBB_CONFIG", settings.toString()))).isZero();
        }
        assertThat(health(Map.of("EBB_API_LISTEN", "0.0.0.0:" + port))).isEqualTo(2);
    }

    /** The probe speaks without TLS whatever the API speaks; with a port of its own it does not touch the API. */
    @Test
    void shouldAskAtThePortOfProbesWhereThereIsOne(@TempDir Path folder) throws Exception {
        try (ApiServer server = LoneServer.of(
                new FakePorts().ports(), ApiSettings.at("127.0.0.1", 0).withHealth("127.0.0.1", 0))) {
            server.start();
            String listen = "0.0.0.0:" + server.healthPort();

            assertThat(health(Map.of(
                            "EBB_HEALTH_LISTEN", listen,
                            "EBB_API_LISTEN", "127.0.0.1:1",
                            "EBB_API_TLS_CERTIFICATE", "/run/secrets/tls.crt")))
                    .isZero();
            Path settings = Files.writeString(
                    folder.resolve("ebb.properties"), "api.listen=127.0.0.1:1\nhealth.listen=" + listen + "\n");
            assertThat(health(Map.of("EBB_CONFIG", settings.toString()))).isZero();
        }
    }

    /** Returns the exit code of the image's {@code ebb-health live} with those variables. */
    static int health(Map<String, String> variables) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", DOCKER.resolve("image/ebb-health").toString(), "live")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeIf(name -> name.startsWith("EBB_"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private static Set<String> found(String file, String pattern) throws IOException {
        Set<String> paths = new TreeSet<>();
        Pattern.compile(pattern)
                .matcher(Files.readString(DOCKER.resolve(file)))
                .results()
                .map(ProbesTest::path)
                .forEach(paths::add);
        return paths;
    }

    private static String path(MatchResult match) {
        return match.groupCount() == 1 ? match.group(1) : "/" + match.group(1) + "/" + match.group(2);
    }
}
