package dev.ebb.cli.remove;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.tables.CommandTables;
import dev.ebb.wire.commands.CommandResultView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "command",
        description = "Commands that were sent.",
        footer = "  ebb command show 6f1c0f5e-8f4b-4a52-9d0e-1f7a3c2b9d11")
@Subcommands(CommandCommand.ShowCommand.class)
public final class CommandCommand extends CommandGroup {

    @Command(
            name = "show",
            description = "Shows the progress of a command, or its result, which is kept for at least a day.",
            footer = "  ebb command show 6f1c0f5e-8f4b-4a52-9d0e-1f7a3c2b9d11 -o json")
    static final class ShowCommand extends ApiCommand {

        @Parameters(paramLabel = "ID", converter = ParameterReader.OfName.class, description = "The id of the command.")
        private String id;

        @Override
        public Integer call() {
            JsonNode result = api.connect().get(RestPath.of("v1", "commands", id));
            return output.show(result, CommandResultView.class, CommandTables::result);
        }
    }
}
