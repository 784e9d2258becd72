package dev.ebb.cli.events;

import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.StreamParameter;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.domain.command.Command.RepairStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "repair",
        description = {
            "Recounts the events of a stream, corrects its usage, and ends its quarantine. Deletes nothing.",
            "If the failure occurs again, the stream is quarantined again. --dry-run only shows whether the stream"
                    + " is quarantined, and why."
        },
        footer = "  ebb stream repair orders/eu-1 --reason 'the disk was replaced'")
final class StreamRepairCommand implements Callable<Integer> {

    @Parameters(paramLabel = "STREAM", converter = StreamParameter.class, description = "The name of the stream.")
    private String stream;

    @Mixin
    private CommandOptions options;

    @Override
    public Integer call() {
        if (!options.isDryRun() && options.isReasonMissing()) {
            throw CommandFailure.usage("name a reason with --reason; it goes into the audit");
        }
        return options.run(() -> CommandCall.of(RepairStream.KIND, Json.object().put("stream", stream)));
    }
}
