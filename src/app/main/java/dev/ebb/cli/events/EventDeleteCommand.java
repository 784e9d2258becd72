package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.StreamParameter;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.DeletionOptions;
import dev.ebb.domain.command.Command.DeleteEvent;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        description = "Deletes one event. Refused if the event is protected, unless --force is given, and always if"
                + " a hold covers it.",
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

    @Option(names = "--force", description = "Delete the event even if it is protected.")
    private boolean force;

    @Mixin
    private DeletionOptions options;

    @Override
    public Integer call() {
        ObjectNode body = Json.object().put("stream", stream).put("eventId", id);
        if (force) {
            body.put("force", true);
        }
        return options.run(() -> CommandCall.of(DeleteEvent.KIND, body));
    }
}
