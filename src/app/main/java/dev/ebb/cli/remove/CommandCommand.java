package dev.ebb.cli.remove;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.CommandTables;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.commands.RunningCommandView;
import dev.ebb.wire.commands.RunningPage;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "command",
        description = "Commands that were sent.",
        footer = {"  ebb command list", "  ebb command show 6f1c0f5e-8f4b-4a52-9d0e-1f7a3c2b9d11"})
@Subcommands({CommandCommand.ListCommand.class, CommandCommand.ShowCommand.class})
public final class CommandCommand extends CommandGroup {

    @Command(
            name = "list",
            description = {
                "Lists commands that have begun and not ended, the longest-running first.",
                "'ebb audit list' shows what ended commands have deleted, under their ids."
            },
            footer = "  ebb command list")
    static final class ListCommand extends ReadCommand<RunningPage> {

        ListCommand() {
            super(RunningPage.LIST, page -> table(page.commands()));
        }

        @Override
        protected void note(RunningPage page, RestApi connected, OutputOptions below) {
            if (page.isMore()) {
                below.note("More commands run; --limit shows more of them.");
            }
        }

        private static Table table(List<RunningCommandView> commands) {
            return new Columns<RunningCommandView>()
                    .left("COMMAND", RunningCommandView::commandId)
                    .left("VERB", command -> command.verb() + (command.dryRun() ? ", dry run" : ""))
                    .left("BY", command -> command.actor().isEmpty() ? Texts.NONE : command.actor())
                    .time("SINCE", RunningCommandView::startedAt)
                    .right("#", RunningCommandView::partition)
                    .table(commands);
        }
    }

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
            return output.show(
                    result, CommandResultView.class, (terminal, view) -> CommandTables.result(terminal, view, true));
        }
    }
}
