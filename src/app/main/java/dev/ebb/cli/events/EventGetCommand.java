package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.StaleOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "get",
        description = "Shows one event with all its fields.",
        footer = "  ebb event get orders/eu-1 e-1 -o json")
final class EventGetCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "STREAM", description = "The name of the stream.")
    private String stream;

    @Parameters(index = "1", paramLabel = "ID", description = "The id of the event.")
    private String id;

    @Option(names = "--include-expired", description = "Show the event even if it is due and waits for a sweep.")
    private boolean includeExpired;

    @Mixin
    private StaleOptions stale;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode event = api.connect()
                .get(stale.addTo(RestPath.of("v1", "streams", stream, "events", id)
                        .withFlag("include-expired", includeExpired)));
        output.print(event, terminal -> table(terminal, event));
        Gaps.note(event, output);
        return ExitCode.OK.code();
    }

    private static void table(Terminal terminal, JsonNode event) {
        Table table = Table.ofFacts();
        event.properties().forEach(field -> table.fact(field.getKey(), text(field.getValue())));
        table.print(terminal);
    }

    private static String text(JsonNode value) {
        return value.isContainerNode() ? value.toString() : value.asText();
    }
}
