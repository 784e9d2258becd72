package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.api.access.TokenSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenCommandsTest {

    private static final Path HOME = Path.of("target", "no-home");

    @TempDir
    private Path folder;

    @Test
    void shouldShowATokenOnceAndKeepItsHash() throws IOException {
        // given
        Path file = folder.resolve("tokens");

        // when
        CommandRun first =
                CommandRun.of("token", "create", "--name", "anna", "--role", "admin", "--file", file.toString());
        CommandRun second = CommandRun.of(
                "token",
                "create",
                "--name",
                "vic",
                "--role",
                "viewer",
                "--expires",
                "2020-01-01T00:00:00Z",
                "--file",
                file.toString());
        CommandRun list = CommandRun.of("token", "list", "--file", file.toString());

        // then
        String token = first.out().strip();
        assertThat(TokenSecret.isOne(token)).isTrue();
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "anna admin " + TokenSecret.hash(token),
                        "vic viewer " + TokenSecret.hash(second.out().strip()) + " 2020-01-01T00:00:00Z");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(list.out())
                .contains("anna", "admin", "never", "vic", "(expired)")
                .doesNotContain(token, TokenSecret.hash(token));
    }

    /** An officer erases, brings back and plans, and needs no other right of an admin. */
    @Test
    @Tag("O-26")
    void shouldGiveSeveralRolesToOneToken() throws IOException {
        // given
        Path file = folder.resolve("tokens");

        // when
        CommandRun made = CommandRun.of(
                "token", "create", "--name", "eva", "--role", "operator,eraser,restorer", "--file", file.toString());

        // then
        assertThat(made.exitCode()).as(made.err()).isZero();
        assertThat(Files.readString(file)).startsWith("eva operator,eraser,restorer sha256:");
        assertThat(CommandRun.of("token", "list", "--file", file.toString()).out())
                .containsPattern("eva +operator,eraser,restorer");
    }

    @Test
    void shouldNameTheFolderThatDoesNotExist() {
        // given
        Path nowhere = folder.resolve("nope").resolve("dir");

        // when
        CommandRun run = create("anna", nowhere.resolve("tokens"));

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("the folder " + nowhere + " does not exist");
    }

    @Test
    void shouldWarnOfANameThatIsTaken() {
        // given
        Path file = folder.resolve("tokens");

        // when
        CommandRun first = create("anna", file);
        CommandRun other = create("vic", file);
        CommandRun again = create("anna", file);

        // then
        assertThat(first.err() + other.err()).doesNotContain("already");
        assertThat(again.exitCode()).isZero();
        assertThat(TokenSecret.isOne(again.out().strip())).isTrue();
        assertThat(again.err()).contains("warning: ", "already has a token of 'anna'", "delete the old line");
    }

    @Test
    void shouldNeverAppendThroughALink() throws IOException {
        // given
        Path goal = Files.writeString(folder.resolve("goal"), "mine\n");
        Path link = Files.createSymbolicLink(folder.resolve("tokens"), goal);

        // when
        CommandRun run = create("anna", link);

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("cannot write to " + link + ": it is a symbolic link to " + goal);
        assertThat(goal).hasContent("mine\n");
    }

    /** Without it, both tokens would be lost: the last line of an editor may have no end. */
    @Test
    void shouldEndTheLastLineBeforeItAppends() throws IOException {
        // given
        Path file = folder.resolve("tokens");
        create("anna", file);
        Files.writeString(file, Files.readString(file).strip());

        // when
        create("vic", file);

        // then
        assertThat(CommandRun.of("token", "list", "--file", file.toString()).out())
                .contains("anna", "vic");
    }

    @Test
    @Tag("T-17")
    void shouldRefuseFilesThatAllUsersMayWrite() throws IOException {
        // given
        Path tokens = folder.resolve("tokens");
        create("anna", tokens);
        String before = Files.readString(tokens);
        Path token = Files.writeString(folder.resolve("token"), TokenSecret.generate());
        for (Path file : List.of(tokens, token)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        }

        // when
        CommandRun created = create("vic", tokens);
        CommandRun used = CommandRun.of("status", "--token-file", token.toString());

        // then
        assertThat(created.exitCode()).isEqualTo(1);
        assertThat(created.out()).isEmpty();
        assertThat(created.err()).contains("may write the file of tokens " + tokens, "chmod o-w " + tokens);
        assertThat(tokens).hasContent(before);
        assertThat(used.exitCode()).isEqualTo(2);
        assertThat(used.err()).contains("may write the file of the token " + token);
    }

    private static CommandRun create(String name, Path file) {
        return CommandRun.of("token", "create", "--name", name, "--role", "admin", "--file", file.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "a b, viewer, 1d, letters",
        "anna, boss, 1d, boss",
        "anna, viewer, soon, soon",
        "anna, viewer, -5d, positive"
    })
    void shouldRefuseImpossibleOptions(String name, String role, String end, String said) {
        // when
        CommandRun run = CommandRun.of("token", "create", "--name", name, "--role", role, "--expires", end);

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(said);
    }

    @Test
    void shouldSendTheTokenOfAFileOrOfTheEnvironment() throws IOException {
        // given
        String token = TokenSecret.generate();
        Path file = Files.writeString(folder.resolve("token"), token + "\n");

        try (FakeApi api = new FakeApi()) {
            api.otherwise(200, "{\"version\":1,\"holds\":[]}");
            for (Map<String, String> more :
                    List.of(Map.of("EBB_TOKEN", token), Map.of("EBB_TOKEN_FILE", file.toString()))) {
                // when
                CommandRun run = CommandRun.of(environment(api, more), "", HOME, "hold", "list");

                // then
                assertThat(run.exitCode()).as(run.err()).isZero();
                assertThat(api.authorizations()).last().isEqualTo("Bearer " + token);
            }
            CommandRun.of(environment(api, Map.of()), "", HOME, "hold", "list", "--token-file", file.toString());
            assertThat(api.authorizations()).last().isEqualTo("Bearer " + token);
            CommandRun.of(environment(api, Map.of()), "", HOME, "hold", "list");
            assertThat(api.authorizations()).last().isEqualTo("");
        }
    }

    /** A shell passes the output of a program as a file: {@code --token-file <(pass show ebb)}. */
    @Test
    void shouldReadTheTokenOnceForAllQuestionsOfACommand() throws Exception {
        // given a pipe with a token for its first reader alone
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        String token = TokenSecret.generate();
        Thread writer = new Thread(() -> {
            for (String text : List.of(token, "")) {
                try {
                    Files.writeString(pipe, text, StandardOpenOption.WRITE);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        writer.setDaemon(true);
        writer.start();

        try (FakeApi api = new FakeApi()) {
            api.answer("GET /v1/policies", 200, "{\"version\":1,\"policies\":[]}");
            api.answer("GET /v1/policies/waiting", 200, "{\"waiting\":[]}");

            // when
            CommandRun run = CommandRun.of(
                    environment(api, Map.of()), "", HOME, "policy", "list", "--token-file", pipe.toString());

            // then
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(api.authorizations()).containsExactly("Bearer " + token, "Bearer " + token);
        }
    }

    @Test
    void shouldNameTheFaultOfATokenWithoutShowingIt() throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("token"), "my-password");

        // when
        CommandRun run = CommandRun.of("status", "--token-file", file.toString());

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("no token in " + file, "ebb token create")
                .doesNotContain("my-password");
    }

    @Test
    void shouldNotLetAnAnswerSteerTheTerminal() throws IOException {
        try (FakeApi api = new FakeApi()) {
            // given
            api.otherwise(404, "{\"detail\":\"there is no '\\u001b[2J\\u202egnorw'\"}");

            // when
            CommandRun run = api.run("stream", "describe", "a");

            // then
            assertThat(run.err()).contains("\\u001b[2J\\u202egnorw").doesNotContain("\u001b", "\u202e");
        }
    }

    @Test
    void shouldPrintRightsForTheConfiguredNames() {
        // when
        String[] settings = {"--set", "topics.prefix=my.", "--set", "application.id=mine"};
        CommandRun table = CommandRun.of(words(settings, "acls", "print"));
        CommandRun commands = CommandRun.of(words(
                settings,
                "acls",
                "print",
                "--commands",
                "--for",
                "run",
                "--principal",
                "run=User:it's",
                "--admin-config",
                "a.properties"));

        // then
        assertThat(table.out())
                .contains("my.events", "mine-events-changelog", "mine-policy-gate-changelog")
                .contains("User:ebb-setup", "User:ebb-connect", "connect-mine-events", "mine-*", "mine-policies-*")
                .doesNotContain("CLUSTER");
        assertThat(table.out().lines().filter(line -> line.contains("DELETE")))
                .as("only the log of the events is cut")
                .singleElement()
                .asString()
                .startsWith("User:ebb ")
                .contains(" mine-events-changelog ");
        assertThat(commands.out().lines().filter(line -> !line.startsWith("# ")))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("kafka-acls.sh --bootstrap-server '127.0.0.1:9092' --command-config"
                        + " 'a.properties' --add --allow-principal 'User:it'\\''s' --operation "));
        assertThat(commands.out())
                .contains("--operation DescribeConfigs")
                .contains("--resource-pattern-type prefixed --transactional-id 'mine-'")
                .contains("--group 'mine'");
    }

    @Test
    @Tag("F-12")
    void shouldPrintTheRightsOnSourcesAndTargets() throws IOException {
        // given
        Path file = folder.resolve("sources.yaml");
        Files.writeString(file, """
                sources:
                - {name: a, topic: t.a, as: table, stream: 'a/{key}'}
                - {name: b, topic: t.b, as: table, stream: 'b/{key}', target: {tombstones: same}}
                - {name: c, topic: t.c, as: table, stream: 'c/{key}', target: {tombstones: {topic: t.gone}}}
                - {name: d, topic: t.d, as: log, stream: d, target: truncate}
                """);
        Path wrong = folder.resolve("wrong.yaml");
        Files.writeString(wrong, "sources:\n- {name: a}\n");

        // when
        CommandRun plain = CommandRun.of("acls", "print", "--for", "run", "-o", "json");
        CommandRun run = CommandRun.of("acls", "print", "--for", "run", "-o", "json", "--sources", file.toString());
        CommandRun refused = CommandRun.of("acls", "print", "--sources", wrong.toString());

        // then
        assertThat(plain.out()).doesNotContain("-sources-", "t.a");
        assertThat(rights(run, "t.a")).containsExactly("READ", "DESCRIBE_CONFIGS");
        assertThat(rights(run, "t.b")).containsExactly("READ", "DESCRIBE_CONFIGS", "WRITE");
        assertThat(rights(run, "t.c")).containsExactly("READ", "DESCRIBE_CONFIGS", "WRITE");
        assertThat(rights(run, "t.gone")).containsExactly("WRITE", "DESCRIBE_CONFIGS");
        assertThat(rights(run, "t.d")).containsExactly("READ", "DESCRIBE_CONFIGS", "DELETE");
        assertThat(rights(run, "ebb-sources-")).containsExactly("READ", "WRITE", "CREATE", "DESCRIBE_CONFIGS", "READ");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("topic");
    }

    private static List<String> rights(CommandRun run, String name) throws IOException {
        List<String> rights = new ArrayList<>();
        for (JsonNode acl : new ObjectMapper().readTree(run.out()).path("acls")) {
            for (JsonNode one : acl.path("names")) {
                if (one.asText().equals(name)) {
                    acl.path("operations").forEach(operation -> rights.add(operation.asText()));
                }
            }
        }
        return rights;
    }

    @Test
    void shouldAddTheTopicsThatTheWorkerKeepsForItself(@TempDir Path folder) throws IOException {
        // given
        Path whole = Files.writeString(folder.resolve("worker.properties"), """
                group.id=workers
                config.storage.topic = w.configs
                offset.storage.topic=w.offsets
                status.storage.topic=w.status
                """);
        Path without = Files.writeString(folder.resolve("other.properties"), "group.id=workers\n");

        // when
        CommandRun rights =
                CommandRun.of("acls", "print", "--for", "connect", "--commands", "--connect-config", whole.toString());
        CommandRun refused = CommandRun.of("acls", "print", "--connect-config", without.toString());
        CommandRun nowhere = CommandRun.of("acls", "print", "--connect-config", "not-there");

        // then
        assertThat(rights.out())
                .contains("--topic 'w.configs' --topic 'w.offsets' --topic 'w.status'")
                .contains("--operation Read --operation Write --operation Create --operation DescribeConfigs")
                .contains("--group 'workers'");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .contains("other.properties", "config.storage.topic, offset.storage.topic, status.storage.topic")
                .doesNotContain("group.id");
        assertThat(nowhere.exitCode()).isEqualTo(2);
        assertThat(nowhere.err()).contains("not-there", "does not exist");
    }

    private static Map<String, String> environment(FakeApi api, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.put("EBB_API_URL", api.url());
        return all;
    }

    private static String[] words(String[] settings, String... words) {
        return Stream.concat(Arrays.stream(words), Arrays.stream(settings)).toArray(String[]::new);
    }
}
