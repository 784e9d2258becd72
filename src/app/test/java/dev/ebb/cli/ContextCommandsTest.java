package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R-13")
class ContextCommandsTest {

    @RegisterExtension
    final FakeApi one = new FakeApi().otherwise(200, FakeStatus.all(new FakeStatus("i")));

    @RegisterExtension
    final FakeApi two = new FakeApi().otherwise(200, FakeStatus.all(new FakeStatus("i")));

    private static final String TOKEN = "ebb_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

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
        Path token = Files.writeString(home.resolve("t.token"), TOKEN);
        token.toFile().setReadable(false, false);
        token.toFile().setReadable(true, true);

        // when
        run(Map.of(), "context", "set", "prod", one.url(), "--token-file", token.toString());
        CommandRun status = run(Map.of(), "status");

        // then
        assertThat(Files.readString(home.resolve(".config/ebb/contexts.properties")))
                .doesNotContain("ebb_0123");
        assertThat(status.exitCode()).as(status.err()).isZero();
        assertThat(one.authorizations()).containsExactly("Bearer " + TOKEN);
    }

    @ParameterizedTest
    @CsvSource({"EBB_TOKEN, ''", "EBB_TOKEN_FILE, ' '", "EBB_TOKENS, x", "EBB_CA_FILE, ''"})
    void shouldSendTheTokenOfTheContextUnlessAVariableNamesAnother(String variable, String value) throws IOException {
        // given
        Path token = Files.writeString(home.resolve("t.token"), TOKEN);
        run(Map.of(), "context", "set", "prod", one.url(), "--token-file", token.toString());
        String other = TOKEN.replace('0', '1');

        // when
        CommandRun status = run(Map.of(variable, value), "status");
        run(Map.of("EBB_TOKEN", other), "status");

        // then
        assertThat(status.exitCode()).as(status.err()).isZero();
        assertThat(one.authorizations()).containsExactly("Bearer " + TOKEN, "Bearer " + other);
    }

    @Test
    void shouldGoWhereTheOptionsSayWhateverTheEnvironmentNames() throws IOException {
        // given
        run(Map.of(), "context", "set", "prod", two.url());
        String listen = "api.listen=" + one.url().substring("http://".length());
        Path file = Files.writeString(home.resolve("e.properties"), listen + "\n");
        List<Map<String, String>> environments =
                List.of(Map.of("EBB_CONTEXT", "prod"), Map.of("EBB_API_URL", two.url()), Map.of());

        // when
        environments.forEach(environment -> {
            run(environment, "status", "--api", one.url());
            run(environment, "status", "--config", file.toString());
            run(environment, "status", "--set", listen);
        });

        // then
        assertThat(one.requests()).hasSize(9);
        assertThat(two.requests()).isEmpty();
    }

    @Test
    void shouldTakeUrlContextAndSettingsOfTheEnvironmentInThisOrder() throws IOException {
        // given
        run(Map.of(), "context", "set", "here", one.url());
        run(Map.of(), "context", "set", "there", two.url());
        String listen = one.url().substring("http://".length());
        Path file = Files.writeString(home.resolve("e.properties"), "api.listen=" + listen + "\n");

        // then: a URL before a named context, that before settings, and settings before the context in use
        run(Map.of("EBB_API_URL", one.url(), "EBB_CONTEXT", "there"), "status");
        assertThat(one.requests()).hasSize(1);
        run(Map.of("EBB_CONTEXT", "there", "EBB_CONFIG", file.toString()), "status");
        run(Map.of("EBB_CONTEXT", "there", "EBB_API_LISTEN", listen), "status");
        assertThat(two.requests()).hasSize(2);
        run(Map.of(), "context", "use", "there");
        run(Map.of("EBB_CONFIG", file.toString()), "status");
        run(Map.of("EBB_API_LISTEN", listen, "EBB_CONTEXT", ""), "status");
        assertThat(one.requests()).hasSize(3);
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

    @Test
    void shouldHidePasswordsInsideUrls() throws IOException {
        // given
        Path file = Files.writeString(
                home.resolve("e.properties"),
                "sql.url=jdbc:postgresql://h:5432/e?user=ebb&password=geheim&sslmode=require&sslpassword=geheim2\n"
                        + "schema.registry.url=http://anna:geheim@h1:8081\n");

        // when
        CommandRun shown = run(Map.of("EBB_CONFIG", file.toString()), "config", "show");

        // then
        assertThat(shown.exitCode()).as(shown.err()).isZero();
        assertThat(shown.out())
                .contains(
                        "jdbc:postgresql://h:5432/e?user=ebb&password=[hidden]&sslmode=require&sslpassword=[hidden]",
                        "http://[hidden]@h1:8081")
                .doesNotContain("geheim", "anna");
    }

    private CommandRun run(Map<String, String> more, String... args) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("HOME", home.toString());
        return CommandRun.of(environment, "", home, args);
    }
}
