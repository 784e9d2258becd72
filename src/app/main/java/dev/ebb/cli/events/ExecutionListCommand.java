package dev.ebb.cli.events;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.options.StaleOptions;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.ExecutionView;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "list",
        description = {
            "Lists the executions of a stream, the current one first.",
            "All events of an open execution are protected: retention leaves them alone until an execution update ends it."
        },
        footerHeading = "%nExample:%n",
        footer = "  ebb execution list jobs/nightly --limit 20")
final class ExecutionListCommand implements Callable<Integer> {

    @Parameters(paramLabel = "STREAM", description = "The name of the stream.")
    private String stream;

    @Mixin
    private PageOptions page;

    @Mixin
    private StaleOptions stale;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        return page.show(
                api,
                output,
                "executions",
                () -> stale.addTo(RestPath.of("v1", "streams", stream, "executions")),
                ExecutionView.Page.class,
                ExecutionListCommand::table);
    }

    private static void table(Terminal terminal, ExecutionView.Page page) {
        Table table = new Table()
                .right("EXECUTION")
                .left("STATE")
                .left("STATUS")
                .left("SINCE")
                .right("EVENTS")
                .right("BYTES")
                .right("PROTECTED")
                .left("PARENT");
        Instant now = Instant.now();
        for (ExecutionView execution : page.executions()) {
            table.row(
                    execution.execution(),
                    state(execution),
                    Objects.requireNonNullElse(execution.status(), Texts.NONE),
                    Texts.distance(execution.since(), now),
                    Texts.count(execution.events()),
                    Texts.bytes(execution.bytes()),
                    Texts.count(execution.protectedEvents()),
                    Objects.requireNonNullElse(execution.parent(), Texts.NONE));
        }
        table.print(terminal);
    }

    private static Cell state(ExecutionView execution) {
        String current = execution.current() ? ", current" : "";
        return execution.open() ? new Cell("open" + current, Style.YELLOW) : Cell.of("closed" + current);
    }
}
