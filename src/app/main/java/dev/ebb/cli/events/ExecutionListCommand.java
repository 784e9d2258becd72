package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.time.Instant;
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
                ExecutionListCommand::table);
    }

    private static void table(Terminal terminal, JsonNode executions) {
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
        for (JsonNode execution : executions.path("executions")) {
            table.row(
                    execution.path("execution").asText(),
                    state(execution),
                    execution.path("status").asText(Texts.NONE),
                    Texts.distance(execution.path("since"), now),
                    Texts.count(execution.path("events")),
                    Texts.bytes(execution.path("bytes")),
                    Texts.count(execution.path("protectedEvents")),
                    execution.path("parent").asText(Texts.NONE));
        }
        table.print(terminal);
    }

    private static Cell state(JsonNode execution) {
        String current = execution.path("current").asBoolean() ? ", current" : "";
        return execution.path("open").asBoolean()
                ? new Cell("open" + current, Style.YELLOW)
                : Cell.of("closed" + current);
    }
}
