package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ebb.cli.CommandRun;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestBroker;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Distribution;
import dev.ebb.devstack.process.Service;
import dev.ebb.stacks.Endpoints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of docs/compatibility.md: this version starts on the state that the last tag's own artefact wrote. The artefact is the
 * tarball of that release in {@code target/last-release}, or else the tag is built there. {@code -Dlast.release=FOLDER} takes another
 * unpacked tarball.
 */
@Tag("R-9")
@Timeout(1800)
class LastReleaseSuite {

    private static final Path HOME = Path.of(System.getProperty("ebb.home", "")).toAbsolutePath();
    private static final String STREAMS = "kept";

    @TempDir
    private Path folder;

    @Test
    void shouldStartOnTheStateOfTheLastRelease() throws Exception {
        // given
        Path former = formerJar();
        try (DevStack stack = TestBroker.ofBuild()
                .into(TestStack.builder(folder.resolve("stack"))
                        .without(Service.REGISTRY)
                        .withApp(false))
                .start()) {
            Path settings = settings(stack.endpoints());
            InstanceProcess instance = new InstanceProcess("last", folder, settings, Map.of());
            try {
                // when the last release has written events, policies, a hold and an audit
                must(CommandRun.of(Map.of(), "", HOME, "topics", "create", "--config", settings.toString()));
                instance.start(former).awaitReady();
                Path events = folder.resolve("events.jsonl");
                Files.writeString(
                        events,
                        Stream.iterate(0, i -> i < 300, i -> i + 1)
                                .map(i -> "{\"stream\":\"" + STREAMS + "/" + i % 10 + "\",\"id\":\"e" + i + "\"}\n")
                                .reduce("", String::concat));
                must(CommandRun.of(
                        Map.of(), "", HOME, "produce", "-f", events.toString(), "--config", settings.toString()));
                must(instance.run("policy", "set", "namespace:" + STREAMS, "--max-count", "20", "--reason", "r"));
                must(instance.run("hold", "place", "L-1", "--covers", "stream:" + STREAMS + "/9", "--reason", "r"));
                Await.until(
                        "the caps are kept",
                        () -> IntStream.range(0, 9).allMatch(stream -> stored(instance, stream) == 20)
                                ? ""
                                : "not all");
                long held = stored(instance, 9);
                List<String> before = described(instance);
                instance.kill();

                // then this version reads them, and goes on
                instance.start(Distribution.locate().applicationJar()).awaitReady();
                // Deletes whose transaction was cut off happen once more.
                Await.until("the same events", () -> {
                    List<String> now = described(instance);
                    return now.equals(before) ? "" : now.toString();
                });
                lower(instance);
                Await.until(
                        "the caps are kept", () -> stored(instance, 0) == 10 ? "" : "stored " + stored(instance, 0));
                assertThat(stored(instance, 9)).isEqualTo(held);
                assertThat(instance.run("audit", "list", "--stream", STREAMS + "/0")
                                .out())
                        .contains("MAX_COUNT");
                Await.until("stores and SQL agree", () -> {
                    CommandRun verify = instance.run("verify");
                    return verify.exitCode() == 0 ? "" : verify.toString();
                });
            } finally {
                instance.kill();
            }
        }
    }

    /** Settings that the last release knows; the stack's own may have newer ones. */
    private Path settings(Endpoints services) throws IOException {
        return Files.writeString(
                folder.resolve("ebb.properties"),
                String.join(
                        "\n",
                        "bootstrap.servers=" + services.bootstrapServers(),
                        "schema.registry.url=",
                        "sql.url=" + services.jdbcUrl(),
                        "sql.user=" + services.sqlUser(),
                        "sql.password.file=" + services.sqlPasswordFile(),
                        "connect.urls=" + services.connectUrl()));
    }

    /** The brake holds the change back if the first policy was set when many events were there already. */
    private static void lower(InstanceProcess instance) {
        CommandRun lower = instance.run("policy", "set", "namespace:" + STREAMS, "--max-count", "10", "--reason", "r");
        if (lower.exitCode() == ExitCode.REFUSED.code()) {
            must(instance.run("policy", "confirm", "namespace:" + STREAMS, "--reason", "r", "--yes"));
        } else {
            must(lower);
        }
    }

    private static long stored(InstanceProcess instance, int stream) {
        return instance.run("event", "list", STREAMS + "/" + stream, "--limit", "100")
                .out()
                .lines()
                .filter(line -> line.matches("e\\d+ .*"))
                .count();
    }

    private static List<String> described(InstanceProcess instance) {
        return Stream.iterate(0, i -> i < 10, i -> i + 1)
                .map(i -> instance.run("event", "list", STREAMS + "/" + i, "--limit", "100", "-o", "json")
                        .out()
                        .replaceAll("\"(readAt|asOf|age\\w*)\" : [^,\\n]*", ""))
                .toList();
    }

    private static void must(CommandRun run) {
        assertThat(run.exitCode()).as(run.toString()).isZero();
    }

    /** Returns the application of the last tag, with its libraries beside it. */
    private Path formerJar() throws Exception {
        String named = System.getProperty("last.release", "");
        if (!named.isEmpty()) {
            return Path.of(named, "lib", "ebb.jar");
        }
        String tag = lastTag();
        assumeTrue(!tag.isEmpty(), "there is no tag of a release yet, so there is no state of one");
        Path made = HOME.resolve("target/last-release").resolve(tag);
        if (!Files.exists(made)) {
            Path tarball = HOME.resolve("target/last-release/ebb-" + tag.substring(1) + ".tar.gz");
            Files.createDirectories(made);
            if (Files.exists(tarball)) {
                shell(made, "tar xzf " + tarball + " --strip-components=1");
            } else {
                shell(
                        made,
                        "git -C " + HOME + " archive " + tag
                                + " | tar x && mvn -q -B -ntp -pl src/app -am -Dmaven.test.skip"
                                + " -Dquick package && ln -s target/ebb/lib lib");
            }
        }
        return made.resolve("lib/ebb.jar");
    }

    /** Returns the newest tag before this commit; empty if there is none, or no repository. */
    private String lastTag() throws Exception {
        Process git = new ProcessBuilder("git", "describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^")
                .directory(HOME.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String tag = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor() == 0 ? tag : "";
    }

    private static void shell(Path where, String script) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-euc", script)
                .directory(where.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).as(script).isZero();
    }
}
