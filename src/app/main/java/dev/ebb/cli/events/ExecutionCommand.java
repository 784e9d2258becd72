package dev.ebb.cli.events;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.ExecutionView;
import java.time.Instant;
import picocli.CommandLine.Command;

@Command(
        name = "execution",
        description = "Executions of a stream: the generations of a long-running instance.",
        footer = "  ebb execution list jobs/nightly")
@Subcommands(ExecutionCommand.ListCommand.class)
public final class ExecutionCommand extends CommandGroup {

    @Command(
            name = "list",
            description = {
                "Lists the executions of a stream, the current one first.",
                "Events of an open execution are protected: retention deletes none of them until an execution update"
                        + " ends the execution."
            },
            footer = "  ebb execution list jobs/nightly --limit 20")
    static final class ListCommand extends ReadCommand<ExecutionView.Page> {

        ListCommand() {
            super(ExecutionView.LIST, ListCommand::table);
        }

        private static Table table(ExecutionView.Page page) {
            Instant now = Instant.now();
            return new Columns<ExecutionView>()
                    .right("EXECUTION", ExecutionView::execution)
                    .left("STATE", ListCommand::state)
                    .left("STATUS", ExecutionView::status)
                    .left("SINCE", execution -> Texts.distance(execution.since(), now))
                    .count("EVENTS", ExecutionView::events)
                    .bytes("BYTES", ExecutionView::bytes)
                    .count("PROTECTED", ExecutionView::protectedEvents)
                    .left("PARENT", ExecutionView::parent)
                    .table(page.executions());
        }

        private static Cell state(ExecutionView execution) {
            String current = execution.current() ? ", current" : "";
            return execution.open() ? new Cell("open" + current, Style.YELLOW) : Cell.of("closed" + current);
        }
    }
}
