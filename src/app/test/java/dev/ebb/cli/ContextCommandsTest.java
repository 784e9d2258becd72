package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("R-13")
class ContextCommandsTest {

    @RegisterExtension
    final FakeApi one = new FakeApi().otherwise(200, FakeStatus.all(new FakeStatus("i")));

    @RegisterExtension
    final FakeApi two = new FakeApi().otherwise(200, FakeStatus.all(new FakeStatus("i")));

    @TempDir
    private Path home;

    @Test
    void shouldReachTheContextInUseUnlessTheCallNamesAnother() {
        // given
        run(Map.of(), "context", "set", "test", one.url());
        run(Map.of(), "context", "set", "prod", two.url());

        // then: the first one is in use until another one is chosen
        run(Map.of(), "status");
        assertThat(one.requests()).hasSize(1);
        run(Map.of("EBB_CONTEXT", "prod"), "status");
        assertThat(two.requests()).hasSize(1);
        run(Map.of(), "context", "use", "prod");
        run(Map.of(), "status");
        assertThat(two.requests()).hasSize(2);
        run(Map.of("EBB_API_URL", one.url()), "status");
        run(Map.of(), "status", "--api", one.url());
        run(Map.of(), "status", "--set", "api.listen=" + one.url().substring("http://".length()));
        assertThat(one.requests()).hasSize(4);
        assertThat(run(Map.of(), "context", "list").out())
                .containsPattern("\\* +prod +" + two.url())
                .containsPattern("(?m)^ +test +" + one.url());
    }

    @Test
    void shouldSendTheTokenOfTheContextAndKeepItOutOfTheFile() throws IOException {
        // given
        Path token = Files.writeString(home.resolve("t.token"), "ebb_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG");
        token.toFile().setReadable(false, false);
        token.toFile().setReadable(true, true);

        // when
        run(Map.of(), "context", "set", "prod", one.url(), "--token-file", token.toString());
        CommandRun status = run(Map.of(), "status");

        // then
        assertThat(Files.readString(home.resolve(".config/ebb/contexts.properties")))
                .doesNotContain("ebb_0123");
        assertThat(status.exitCode() == 0 || status.err().contains("there is no token in"))
                .as(status.err())
                .isTrue();
    }

    @Test
    void shouldNameTheNearestContext() {
        // given
        run(Map.of(), "context", "set", "prod", one.url());

        // when
        CommandRun misspelt = run(Map.of(), "context", "use", "prd");
        CommandRun deleted = run(Map.of(), "context", "delete", "prod");

        // then
        assertThat(misspelt.exitCode()).isEqualTo(1);
        assertThat(misspelt.err()).contains("there is no context 'prd'; the nearest is 'prod'");
        assertThat(deleted.exitCode()).isZero();
        assertThat(run(Map.of(), "context", "list").out()).contains("(none)");
    }

    @Test
    void shouldShowSettingsWithTheirSourcesAndHideSecrets() throws IOException {
        // given
        Path file =
                Files.writeString(home.resolve("e.properties"), "sql.url=jdbc:postgresql://h/e\nsql.password=geheim\n");
        Map<String, String> environment = Map.of("EBB_STREAM_THREADS", "3", "EBB_CONFIG", file.toString());

        // when
        CommandRun given = run(environment, "config", "show", "--set", "topics.prefix=x.");
        CommandRun all = run(environment, "config", "show", "--all");

        // then
        assertThat(given.exitCode()).as(given.err()).isZero();
        assertThat(given.out())
                .containsPattern("sql.password +\\[hidden] +.*e.properties")
                .containsPattern("stream.threads +3 +.*EBB_STREAM_THREADS")
                .containsPattern("topics.prefix +x\\. +--set topics.prefix")
                .doesNotContain("geheim", "default");
        assertThat(all.out()).containsPattern("undo.max +.* +default").doesNotContain("geheim");
    }

    private CommandRun run(Map<String, String> more, String... args) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("HOME", home.toString());
        return CommandRun.of(environment, "", home, args);
    }
}
