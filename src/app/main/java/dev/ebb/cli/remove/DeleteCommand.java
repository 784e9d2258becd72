package dev.ebb.cli.remove;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.Refused;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.DeletionOptions;
import dev.ebb.domain.command.Command.DeleteStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        description = {
            "Deletes a stream with its events and executions; its name can be used again at once.",
            "Refused if the stream or an ancestor is open, unless --force is given, and always if a hold covers it."
        },
        footer = {"  ebb delete orders/eu-1 --dry-run", "  ebb delete orders/eu-1 --reason 'ticket 4711' --yes"})
public final class DeleteCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "STREAM",
            converter = ParameterReader.OfName.class,
            description = "The name of the stream.")
    private String stream;

    @Option(
            names = "--force",
            description =
                    "Delete even an open stream, or a stream below an open ancestor. Does not stop code that works"
                            + " on the stream.")
    private boolean force;

    @Mixin
    private DeletionOptions options;

    @Override
    public Integer call() {
        ObjectNode body = Json.object().put("stream", stream);
        if (force) {
            body.put("force", true);
        }
        try {
            return options.run(() -> CommandCall.of(DeleteStream.KIND, body));
        } catch (CommandFailure e) {
            throw Refused.isFor(e, "STREAM_OPEN") ? options.withOpenWork(e, stream) : e;
        }
    }
}
