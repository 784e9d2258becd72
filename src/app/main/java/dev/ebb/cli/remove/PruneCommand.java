package dev.ebb.cli.remove;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.DeletionOptions;
import dev.ebb.cli.send.FilterOptions;
import dev.ebb.domain.command.Command.PruneStream;
import dev.ebb.domain.command.Command.PruneStreams;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.time.Times;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "prune",
        description = {
            "Deletes old executions of a stream, or old events of a stream without executions; with --bulk, those of"
                    + " many streams.",
            "Conditions join with AND; at least one is needed. The current execution never goes, nor does an"
                    + " execution or event that is not terminal."
        },
        footer = {
            "  ebb prune jobs/nightly --keep-last 10 --dry-run",
            "  ebb prune --bulk --namespace jobs --completed-before 30d --yes"
        })
public final class PruneCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..1",
            paramLabel = "STREAM",
            converter = ParameterReader.OfName.class,
            description = "Name of the stream; none with --bulk.")
    private @Nullable String stream;

    @Option(
            names = "--keep-last",
            paramLabel = "N",
            description = "Number of the newest executions or events that stay, the current execution included.")
    private @Nullable Long keepLast;

    @Option(
            names = "--completed-before",
            paramLabel = "TIME",
            description =
                    "Upper bound of the completion, exclusive: " + Times.FORMS + ". The day of a date is left out.")
    private @Nullable String completedBefore;

    @Option(names = "--bulk", description = "Prune many streams, with the options that follow.")
    private boolean bulk;

    @Mixin
    private FilterOptions filter;

    @Option(
            names = "--stream-completed-before",
            paramLabel = "TIME",
            description = "Upper bound of the completion of the streams, exclusive.")
    private @Nullable String streamCompletedBefore;

    @Option(names = "--include-open", description = "Prune open streams as well.")
    private boolean includeOpen;

    @Mixin
    private DeletionOptions options;

    @Override
    public Integer call() {
        ObjectNode body = Json.object();
        Json.putGiven(body, "keepLast", keepLast);
        Json.putGiven(
                body,
                "completedBefore",
                TimeText.of(CommandField.COMPLETED_BEFORE, "--completed-before", completedBefore));
        requireExtent();
        boolean hasCondition = !body.isEmpty() || options.hasPlan();
        require(hasCondition, "without a condition nothing goes; add --keep-last, --completed-before or both");
        if (bulk) {
            putFilter(body);
        } else {
            body.put("stream", stream);
        }
        return options.run(() -> CommandCall.of(bulk ? PruneStreams.KIND : PruneStream.KIND, body));
    }

    private void requireExtent() {
        if (bulk) {
            require(stream == null, "--bulk takes no stream; name streams with --stream");
            return;
        }
        boolean isForMany = !filter.isEmpty() || streamCompletedBefore != null || includeOpen;
        require(
                !isForMany,
                "--stream, --namespace, --stream-completed-before, --limit, --all and --include-open need" + " --bulk");
        require(stream != null, "name a stream, or several with --bulk");
    }

    private void putFilter(ObjectNode body) {
        if (!options.hasPlan()) {
            filter.require("--stream-completed-before", streamCompletedBefore != null);
        }
        filter.putInto(body);
        Long before =
                TimeText.of(CommandField.STREAM_COMPLETED_BEFORE, "--stream-completed-before", streamCompletedBefore);
        Json.putGiven(body, "streamCompletedBefore", before);
        if (includeOpen) {
            body.put("includeOpen", true);
        }
    }

    private static void require(boolean isMet, String problem) {
        if (!isMet) {
            throw CommandFailure.usage(problem);
        }
    }
}
