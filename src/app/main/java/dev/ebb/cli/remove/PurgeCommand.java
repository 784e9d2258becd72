package dev.ebb.cli.remove;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.DeletionOptions;
import dev.ebb.cli.send.FilterOptions;
import dev.ebb.domain.command.Command.PurgeStreams;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.time.Times;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "purge",
        description = {
            "Deletes whole closed streams.",
            "Filters join with AND. Streams that are open, held or below an open ancestor are skipped and counted."
        },
        footer = {
            "  ebb purge --namespace orders --completed-before 30d --dry-run",
            "  ebb purge --stream jobs/1 --stream jobs/2 --yes"
        })
public final class PurgeCommand implements Callable<Integer> {

    @Mixin
    private FilterOptions filter;

    @Option(
            names = "--completed-before",
            paramLabel = "TIME",
            description =
                    "Upper bound of the completion, exclusive: " + Times.FORMS + ". The day of a date is left out.")
    private @Nullable String completedBefore;

    @Mixin
    private DeletionOptions options;

    @Override
    public Integer call() {
        ObjectNode body = Json.object();
        if (!options.hasPlan()) {
            filter.require("--completed-before", completedBefore != null);
        }
        filter.putInto(body);
        Long before = TimeText.of(CommandField.COMPLETED_BEFORE, "--completed-before", completedBefore);
        Json.putGiven(body, "completedBefore", before);
        return options.run(() -> CommandCall.of(PurgeStreams.KIND, body));
    }
}
