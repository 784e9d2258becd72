package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.options.CommandContext;
import dev.ebb.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("O-16")
class CommandHelpTest {

    @ParameterizedTest
    @MethodSource("commands")
    void shouldTeachWithAnExample(String command) {
        // when
        CommandRun run = CommandRun.of((command + " --help").strip().split(" "));

        // then
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("Usage: " + ("ebb " + command).strip());
        assertThat(run.out()).containsPattern("(?m)^Examples?:\\R(  .*\\R)*  .*\\bebb " + command);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldRefuseUnknownOptionsAndSayWhereHelpIs(String command) {
        // when
        CommandRun run = CommandRun.of((command + " --nonsense").strip().split(" "));

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("ebb: ", "'ebb" + (command.isEmpty() ? "" : " " + command) + " --help'")
                .doesNotContain("at dev.ebb", "Exception");
    }

    @Test
    void shouldShowAllCommandsWithoutOne() {
        // when
        CommandRun run = CommandRun.of();

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("policy", "stream", "event", "status", "produce", "topics");
    }

    @Test
    void shouldSuggestTheCommandThatWasMeant() {
        // when
        CommandRun run = CommandRun.of("polcy");

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("Did you mean", "policy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void shouldPrintCompletion(String shell) {
        // when
        CommandRun run = CommandRun.of("completion", shell);

        // then
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("complete -F _complete_ebb", "--max-age");
    }

    /** Asks the shell itself, as it does when a user presses the key. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policy set na | namespace:",
                "policy get pattern:c | pattern:cache",
                "hold place C --covers st | stream:",
                "policy set namespace:n --mode w | warn",
                "policy set namespace:n --anchor o | occurred",
                "policy set namespace:n --max-age un | unlimited",
                "audit list --cause MAX_A | MAX_AGE",
                "rejected list --reason UNDE | UNDECODABLE",
                "event list --expiring-within 24 | 24h",
                "archive list --cause PRU | PRUNE",
                "execution li | list"
            })
    void shouldCompleteScopesAndValues(String typed, String word, @TempDir Path folder) throws Exception {
        // given
        Path script = folder.resolve("completion");
        Files.writeString(script, CommandRun.of("completion", "bash").out());
        String words = "ebb " + typed;
        int last = words.split(" ").length - 1;

        // when
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source '" + script + "'; COMP_WORDS=(" + words + "); COMP_CWORD=" + last
                                + "; _complete_ebb; printf '%s\\n' \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();
        String offered = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // then
        assertThat(offered.lines().map(String::strip)).contains(word);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void shouldTellItsVersion(String option) {
        // when
        CommandRun run = CommandRun.of(option);

        // then
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("ebb ");
    }

    @Test
    void shouldNotTakeAVersionOfPoliciesForAQuestionAboutItsOwn() {
        // when
        CommandRun run = CommandRun.of("policy", "confirm", "namespace:big", "--version", "5");

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("Unknown options: '--version', '5'", "Did you mean: --version-waiting?")
                .contains("See 'ebb policy confirm --help'");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldTellTheVersionWithoutACommandOnly(String command) {
        // given
        boolean isCommand = !command.isEmpty();

        // when
        CommandRun run = CommandRun.of((command + " --version").strip().split(" "));

        // then
        assertThat(run.exitCode()).isEqualTo(isCommand ? 2 : 0);
    }

    static Stream<String> commands() {
        List<String> names = new ArrayList<>();
        CommandContext context = new CommandContext(
                Terminal.plain(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter())),
                InputStream.nullInputStream(),
                Map.of(),
                Path.of("target"));
        collect(EbbCommandLine.create(context), "", names);
        return names.stream();
    }

    private static void collect(CommandLine line, String path, List<String> names) {
        names.add(path.strip());
        line.getSubcommands().forEach((name, sub) -> collect(sub, path + " " + name, names));
    }
}
