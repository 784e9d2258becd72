package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
    @Tag("O-23")
    void shouldTakeTheWordHelpForAQuestionAboutTheRest() {
        assertThat(CommandRun.of("help")).isEqualTo(CommandRun.of("--help"));
        assertThat(CommandRun.of("help", "policy", "set")).isEqualTo(CommandRun.of("policy", "set", "--help"));
        assertThat(CommandRun.of("help", "polcy").exitCode()).isEqualTo(2);
    }

    @Test
    @Tag("O-26")
    void shouldGroupCommandsAndShowTheOptionsOfACommandFirst() {
        assertThat(CommandRun.of("--help").out())
                .containsPattern("(?s)Try and run:.*  status .*Delete and bring back:.*  undo .*Operate:.*  token ");
        assertThat(CommandRun.of("sweep", "--help").out())
                .containsPattern("(?s)--namespace=.*Options of many commands:.*--api=.*--help");
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
    @CsvSource(
            delimiter = '|',
            value = {
                "statsu|ebb: 'ebb' has no command 'statsu'|Did you mean: status?",
                "policy st|ebb: 'ebb policy' has no command 'st'|Did you mean: set?",
                "status now|ebb: the argument 'now' is one too many|See 'ebb status --help'."
            })
    @Tag("O-23")
    void shouldNameTheWordThatIsNoCommand(String line, String message, String hint) {
        assertThat(CommandRun.of(line.split(" ", -1)).err().lines().toList()).contains(message, hint);
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
        CommandEnvironment context = new CommandEnvironment(
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
