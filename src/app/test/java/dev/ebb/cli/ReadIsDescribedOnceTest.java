package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Commands and routes say the same of a read, since both follow from one description. */
@Tag("O-16")
@Tag("O-17")
class ReadIsDescribedOnceTest {

    @RegisterExtension
    final dev.ebb.api.FakeApi api = new dev.ebb.api.FakeApi();

    @Test
    void shouldGiveOptionsTheSentencesOfParameters() {
        // given
        JsonNode document = api.client.get("/openapi.json").json();
        List<String> meanings = document.findValuesAsText("description");

        // when
        List<CommandSpec> reading = reading();

        // then
        assertThat(reading).hasSizeGreaterThan(15);
        for (CommandSpec command : reading) {
            for (OptionSpec option : ownOptions(command)) {
                assertThat(meanings)
                        .as(command.qualifiedName() + " " + option.longestName())
                        .contains(option.description());
            }
        }
    }

    /** A command may say more than its route, but not the same in other words. */
    @Test
    void shouldGiveCommandsWithoutADescriptionTheSentenceOfTheRoute() {
        // given
        List<String> summaries = api.client.get("/openapi.json").json().findValuesAsText("summary");

        // then
        assertThat(reading())
                .filteredOn(command -> description(command).length == 0)
                .hasSizeGreaterThan(10)
                .allSatisfy(command -> assertThat(summaries)
                        .as(command.qualifiedName())
                        .contains(command.usageMessage().description()));
    }

    private static String[] description(CommandSpec command) {
        return command.userObject()
                .getClass()
                .getAnnotation(CommandLine.Command.class)
                .description();
    }

    /** Returns the options that no mixin brings and that are not inherited. */
    private static List<OptionSpec> ownOptions(CommandSpec command) {
        List<OptionSpec> options = new ArrayList<>(command.options());
        command.mixins().values().forEach(mixin -> options.removeAll(mixin.options()));
        options.removeIf(OptionSpec::inherited);
        return options;
    }

    private static List<CommandSpec> reading() {
        List<CommandSpec> found = new ArrayList<>();
        PrintWriter nothing = new PrintWriter(Writer.nullWriter());
        CommandEnvironment context = new CommandEnvironment(
                Terminal.plain(nothing, nothing), InputStream.nullInputStream(), Map.of(), Path.of("target"));
        collect(EbbCommandLine.create(context), found);
        return found;
    }

    private static void collect(CommandLine line, List<CommandSpec> found) {
        if (line.getCommand() instanceof ReadCommand<?>) {
            found.add(line.getCommandSpec());
        }
        line.getSubcommands().values().forEach(below -> collect(below, found));
    }
}
