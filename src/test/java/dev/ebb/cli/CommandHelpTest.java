package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(run.err()).contains("policy", "stream", "event", "status", "produce", "demo", "dev", "topics");
    }

    @Test
    void shouldSuggestWhatWasMeant() {
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

    @ParameterizedTest
    @MethodSource("commands")
    void shouldTellVersion(String command) {
        assertThat(CommandRun.of((command + " --version").strip().split(" ")).out())
                .startsWith("ebb ");
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
