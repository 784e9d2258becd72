package dev.ebb.cli.events;

import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.StreamParameter;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandCall.Method;
import dev.ebb.cli.send.DeletionOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = "Deletes one event. Refused if it is protected, unless it is forced, and if a hold covers it.",
        footerHeading = "%nExample:%n",
        footer = "  ebb event delete orders/eu-1 e-1 --reason 'request of its owner' --yes")
final class EventDeleteCommand implements Callable<Integer> {

    @Parameters(
            index = "0",
            paramLabel = "STREAM",
            converter = StreamParameter.class,
            description = "The name of the stream.")
    private String stream;

    @Parameters(index = "1", paramLabel = "ID", converter = StreamParameter.class, description = "The id of the event.")
    private String id;

    @Option(names = "--force", description = "Also if the event is protected.")
    private boolean force;

    @Mixin
    private DeletionOptions options;

    @Override
    public Integer call() {
        return options.run(() -> new CommandCall(
                Method.DELETE,
                RestPath.of("v1", "streams", stream, "events", id).withFlag("force", force),
                Json.object()));
    }
}
