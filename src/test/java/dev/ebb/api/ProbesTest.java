package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who watches over instances in containers asks for what the API answers. */
@Tag("O-18")
class ProbesTest {

    private static final Path DOCKER = Path.of(System.getProperty("ebb.home", ""), "docker");

    @Test
    void shouldServeWhatDeploymentsAskFor() throws IOException {
        Set<String> asked = new TreeSet<>();
        asked.addAll(found("kubernetes/stateful-set.yaml", "path: (/health/\\w+)"));
        asked.addAll(found("kubernetes/stateful-set.yaml", "prometheus.io/path: (/\\w+)"));
        asked.addAll(found("compose.yaml", "\"ebb-(health)\", \"(\\w+)\""));
        asked.addAll(found("Dockerfile", "\"ebb-(health)\", \"(\\w+)\""));
        assertThat(found("image/ebb-health", "GET (/health/)%s")).isNotEmpty();

        try (ApiServer server = new ApiServer(new FakePorts().ports(), ApiSettings.at("127.0.0.1", 0))) {
            assertThat(asked)
                    .containsExactlyInAnyOrder("/health/live", "/health/ready", "/health/started", "/metrics")
                    .allSatisfy(path -> assertThat(server.served()).contains("GET " + path));
        }
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
