package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.terminal.Terminal;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

@Tag("R-8")
class WordCompletionTest {

    private static final Logger LOG = LoggerFactory.getLogger(WordCompletionTest.class);

    /** Would do something, in each shell, if it were evaluated. */
    private static final String HOSTILE = "o'$(touch pwned)`touch pwned`;touch pwned \"x\" \\é";

    /** A person waits less, but a busy machine may take long. */
    private static final String PATIENCE_MS = "60000";

    /** What zsh has ready for a completion, with words that are typed; the words that it would insert are printed. */
    private static final String ZSH =
            "compdef() { }; compadd() { print -rl -- \"$@\" }; source $1; words=(ebb \"${@:2}\");"
                    + " CURRENT=$#words; PREFIX=$words[-1]; _ebb";

    @TempDir
    private Path folder;

    private final List<String> asked = new CopyOnWriteArrayList<>();
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
                "erase --where sta | status=",
                "undo --policy pattern:s | pattern:session",
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

    /** Of all commands, the hidden ones left out: wherever a name of the application belongs, it is offered. */
    @Test
    void shouldOfferNamesWhereverTheyBelong() {
        // given
        CommandEnvironment context = new CommandEnvironment(
                Terminal.plain(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter())),
                InputStream.nullInputStream(),
                Map.of(),
                folder);
        List<String> without = new ArrayList<>();
        List<String> with = new ArrayList<>();

        // when
        collect(EbbCommandLine.create(context), List.of(), with, without);

        // then
        assertThat(without).isEmpty();
        assertThat(with)
                .contains(
                        "undo --policy",
                        "undo --hold",
                        "undo --stream",
                        "trash list --namespace",
                        "trash list --stream",
                        "forecast --namespace",
                        "erase --namespace",
                        "receipt 0",
                        "produce --key",
                        "hold release 0",
                        "parked drop --policy");
    }

    private void collect(CommandLine line, List<String> path, List<String> with, List<String> without) {
        Map<String, String> expected = Map.of(
                "SCOPE", "stream:audit/logins",
                "SCOPE[@VERSION]", "stream:audit/logins",
                "KEY", "hold:LIT-1",
                "NAMESPACE", "orders",
                "STREAM", "orders/1");
        for (ArgSpec argument : line.getCommandSpec().args()) {
            List<String> words = new ArrayList<>(path);
            String name = "";
            if (argument instanceof OptionSpec option) {
                name = option.longestName();
                words.add(name);
            } else if (argument instanceof PositionalParamSpec positional) {
                name = "" + positional.index().min();
                words.addAll(Collections.nCopies(positional.index().min(), "x"));
            }
            String wanted = name.equals("--namespace")
                    ? "orders"
                    : name.equals("--hold")
                                    || path.contains("hold")
                                            && argument.paramLabel().equals("CASE")
                            ? "LIT-1"
                            : expected.get(argument.paramLabel());
            if (wanted != null) {
                words.add("");
                boolean isOffered = complete(Map.of("EBB_API_URL", url()), words.toArray(String[]::new))
                        .contains(wanted);
                (isOffered ? with : without).add(String.join(" ", path) + " " + name);
            }
        }
        line.getSubcommands().forEach((name, below) -> {
            if (!below.getCommandSpec().usageMessage().hidden()) {
                collect(below, Stream.concat(path.stream(), Stream.of(name)).toList(), with, without);
            }
        });
    }

    /** There may be a hundred thousand streams: what is typed is asked for, and not only looked for in the first page. */
    @Test
    void shouldAskForStreamsThatBeginAsTyped() {
        // when
        complete(Map.of("EBB_API_URL", url()), "stream", "describe", "ord ü");
        complete(Map.of("EBB_API_URL", url()), "undo", "--stream=ord");

        // then
        assertThat(asked).contains("/v1/streams?prefix=ord%20%C3%BC", "/v1/streams?prefix=ord");
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
                : run("zsh", "-f", "-c", ZSH, "zsh", script.toString(), "namespace", "describe", "o");

        // then
        assertThat(offered.lines()).contains("orders", HOSTILE);
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
            asked.add(exchange.getRequestURI().toString());
            byte[] json = new ObjectMapper().writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, json.length);
            exchange.getResponseBody().write(json);
            exchange.close();
        });
    }
}
