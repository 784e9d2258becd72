package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Tag("R-8")
class CompletionTest {

    private static final Logger LOG = LoggerFactory.getLogger(CompletionTest.class);

    /** Would do something, in each shell, if it were evaluated. */
    private static final String HOSTILE = "o'$(touch pwned)`touch pwned`;touch pwned \"x\" \\é";

    /** A person waits less, but a busy machine may take long. */
    private static final String PATIENCE_MS = "60000";

    @TempDir
    private Path folder;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/v1/namespaces", Map.of("namespaces", named("namespace", "orders", HOSTILE)));
        answer("/v1/policies", Map.of("policies", named("scope", "*", "stream:audit/logins")));
        answer("/v1/holds", Map.of("holds", named("case", "LIT-1")));
        answer("/v1/streams", Map.of("streams", named("stream", "orders/1")));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Words that are known without the application. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pol | policy",
                "execution li | list",
                "--debug policy s | set",
                "policy set --max-c | --max-count",
                "policy set na | namespace:",
                "policy get pattern:c | pattern:cache",
                "hold place C --covers st | stream:",
                "policy set namespace:n --mode w | warn",
                "policy set namespace:n --mode=w | --mode=warn",
                "policy set namespace:n --anchor o | occurred",
                "policy set namespace:n --max-age un | unlimited",
                "audit list --cause MAX_A | MAX_AGE",
                "rejected list --reason UNDE | UNDECODABLE",
                "event list --expiring-within 24 | 24h",
                "archive list --cause PRU | PRUNE",
                "completion f | fish",
                "status -o y | yaml"
            })
    void shouldCompleteWhatItKnows(String typed, String word) {
        assertThat(complete(Map.of("EBB_API_URL", "http://127.0.0.1:1"), typed.split(" ")))
                .contains(word)
                .allMatch(offered -> offered.startsWith(typed.substring(typed.lastIndexOf(' ') + 1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policy get namespace:o | namespace:orders",
                "policy get stream: | stream:audit/logins",
                "policy confirm hold: | hold:LIT-1",
                "hold release L | LIT-1",
                "namespace describe o | orders",
                "purge --namespace or | orders",
                "purge --namespace=or | --namespace=orders",
                "stream describe o | orders/1"
            })
    void shouldAskTheApplicationForNames(String typed, String word) {
        assertThat(complete(Map.of("EBB_API_URL", url()), typed.split(" "))).contains(word);
    }

    @Test
    void shouldAskWhereTheTypedOptionsSay() {
        assertThat(complete(Map.of(), "namespace", "describe", "--api", url(), "o"))
                .contains("orders");
        assertThat(complete(Map.of(), "namespace", "describe", "--api=" + url(), "o"))
                .contains("orders");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:1", "no url"})
    void shouldSayNothingOfWhatGoesWrong(String url) {
        // when
        CommandRun run =
                CommandRun.of(Map.of("EBB_API_URL", url), "", folder, "complete-words", "--", "hold", "release", "");

        // then
        assertThat(run).isEqualTo(new CommandRun(0, "", ""));
    }

    @Test
    void shouldNotOfferItself() {
        assertThat(complete(Map.of(), "comp")).contains("completion").doesNotContain("complete-words");
        assertThat(CommandRun.of("--help").out()).doesNotContain("complete-words");
    }

    /** Asks the shell itself; a hostile name comes back as one word that the shell reads as that name again. */
    @Test
    void shouldQuoteNamesInBash() throws Exception {
        // when
        String read = bash("ebb namespace describe o", "eval \"printf '%s' ${COMPREPLY[0]}\"");

        // then
        assertThat(read).isEqualTo(HOSTILE);
        assertThat(bash("ebb namespace describe o'", "eval \"printf '%s' ${COMPREPLY[0]}\""))
                .isEqualTo(HOSTILE);
        assertThat(bash("ebb policy get namespace:or", "printf '%s' \"${COMPREPLY[0]}\""))
                .isEqualTo("orders");
        assertThat(bash("ebb policy set name", "printf '%s' \"${COMPREPLY[*]}\""))
                .contains("namespace:orders");
        assertThat(folder.resolve("pwned")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zsh", "fish"})
    void shouldBeReadByTheShell(String shell) throws Exception {
        // given
        boolean isThere = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, shell)));
        if (!isThere) {
            LOG.atWarn().addKeyValue("shell", shell).log("SKIPPED: completion is not tried in this shell");
        }
        Assumptions.assumeTrue(isThere, "SKIPPED: there is no " + shell + " on the path");
        Path script = script(shell);
        program();

        // when
        String offered = shell.equals("fish")
                ? run("fish", "--no-config", "-c", "source " + script + "; complete -C 'ebb namespace describe o'")
                : run("zsh", "-n", script.toString());

        // then
        assertThat(offered.lines()).containsAll(shell.equals("fish") ? List.of("orders", HOSTILE) : List.of());
        assertThat(folder.resolve("pwned")).doesNotExist();
    }

    private String bash(String line, String then) throws Exception {
        Path script = script("bash");
        program();
        String shell = "source " + script + "; COMP_LINE=$1; COMP_POINT=${#COMP_LINE}; _ebb; " + then;
        return run("bash", "-c", shell, "bash", line);
    }

    private Path script(String shell) throws IOException {
        return Files.writeString(
                folder.resolve("completion." + shell),
                CommandRun.of("completion", shell).out());
    }

    /** An {@code ebb} on the path that runs these classes. */
    private void program() throws IOException {
        Path program = folder.resolve("ebb");
        Files.writeString(
                program,
                "#!/bin/sh\n[ \"$1\" != complete-words ] || { shift; set -- complete-words --within "
                        + PATIENCE_MS + " \"$@\"; }\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "' -XX:TieredStopAtLevel=1 -cp '" + classPath()
                        + "' dev.ebb.cli.Main \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    /** The commands run in another folder. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private String run(String... command) throws Exception {
        Path output = folder.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("PATH", folder + File.pathSeparator + System.getenv("PATH"));
        builder.environment().put("EBB_API_URL", url());
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output);
    }

    private List<String> complete(Map<String, String> environment, String... typed) {
        List<String> words = new ArrayList<>(List.of("complete-words", "--within", PATIENCE_MS, "--"));
        words.addAll(List.of(typed));
        CommandRun run = CommandRun.of(environment, "", folder, words.toArray(String[]::new));
        assertThat(run.exitCode()).isZero();
        return run.out().lines().toList();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static List<Map<String, String>> named(String field, String... names) {
        return Stream.of(names).map(name -> Map.of(field, name)).toList();
    }

    private void answer(String path, Object body) {
        server.createContext(path, exchange -> {
            byte[] json = new ObjectMapper().writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, json.length);
            exchange.getResponseBody().write(json);
            exchange.close();
        });
    }
}
