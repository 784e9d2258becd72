package dev.ebb.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.FakeInstances.Instance;
import dev.ebb.cli.client.Json;
import dev.ebb.port.StatusView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docker/upgrade} reads the output of {@code ebb status -o json} without a program for JSON. */
class UpgradeScriptTest {

    private static final Path SCRIPT = Path.of(System.getProperty("ebb.home", ""), "docker/upgrade");
    private static final Pattern SETTLED =
            Pattern.compile("^settled\\(\\) \\{.*?^}", Pattern.DOTALL | Pattern.MULTILINE);

    private final FakeInstances instances = new FakeInstances();
    private Instance one;
    private Instance two;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() {
        one = instances.start();
        two = instances.start();
        instances.give(one, 0, 2);
        instances.give(two, 1, 3);
    }

    @AfterEach
    void stop() {
        instances.close();
    }

    @Test
    void shouldReadVersionAndPartitionsOfTheInstanceThatIsAsked() throws Exception {
        JsonNode status = one.client().get("/v1/instances").json();
        String version = status.at("/instances/0/version").asText();

        assertThat(version).isNotEmpty();
        assertThat(settled(status)).isEqualTo(version + ": 0 2\n0");
        assertThat(settled(two.client().get("/v1/instances").json())).isEqualTo(version + ": 1 3\n0");
    }

    @Test
    void shouldNotTakeNamesInTheSumsForFieldsOfAnInstance() throws Exception {
        // given
        JsonNode before = two.client().get("/v1/instances").json();
        for (String name : List.of("version", "partition", "restoring", "unkept", "unanswered")) {
            one.data.namespaces.put(name, StatusView.NamespaceView.NOTHING);
            two.data.namespaces.put(name, StatusView.NamespaceView.NOTHING);
        }

        // when
        JsonNode after = two.client().get("/v1/instances").json();

        // then
        assertThat(after.at("/sum/namespaces").has("version")).isTrue();
        assertThat(settled(after)).isEqualTo(settled(before)).endsWith(": 1 3\n0");
        assertThat(settled(one.client().get("/v1/instances").json())).endsWith(": 0 2\n0");
    }

    @Test
    void shouldWaitForPartitionsThatNobodyKeeps() throws Exception {
        instances.keepers.remove(3);

        assertThat(settled(one.client().get("/v1/instances").json())).isEqualTo("1");
    }

    @Test
    void shouldWaitForInstancesThatDoNotAnswer() throws Exception {
        two.server.close();

        assertThat(settled(one.client().get("/v1/instances").json())).isEqualTo("1");
    }

    /** Returns the output and the exit code of the script's function for that status. */
    private String settled(JsonNode status) throws IOException, InterruptedException {
        var function = SETTLED.matcher(Files.readString(SCRIPT));
        assertThat(function.find()).isTrue();
        Path printed = Files.writeString(folder.resolve("status.json"), Json.pretty(status) + "\n");
        String script = "docker() { cat '" + printed + "'; }\n" + function.group() + "\nsettled container; echo $?";
        Process process = new ProcessBuilder("bash", "-o", "pipefail", "-c", script)
                .redirectErrorStream(true)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return answer.strip();
    }
}
