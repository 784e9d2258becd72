package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.StreamParameter;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.domain.command.Command.RetryParked;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "retry",
        description = {
            "Asks the registry at once for the schemas that records wait for, even if it has answered before.",
            "Ebb also asks on its own, at least every two minutes."
        },
        footer = "  ebb parked retry --schema 7")
final class ParkedRetryCommand implements Callable<Integer> {

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            converter = StreamParameter.class,
            description = "Stream whose schemas to ask for. Default: all.")
    private @Nullable String stream;

    @Option(names = "--schema", paramLabel = "ID", description = "Id of the schema to ask for. Default: all.")
    private @Nullable Long schema;

    @Mixin
    private CommandOptions options;

    @Override
    public Integer call() {
        ObjectNode body = Json.object();
        Json.putGiven(body, "stream", stream);
        Json.putGiven(body, "schema", schema);
        return options.run(() -> CommandCall.of(RetryParked.KIND, body));
    }
}
