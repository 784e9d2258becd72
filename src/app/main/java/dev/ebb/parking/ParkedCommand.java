package dev.ebb.parking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.Command.DropParked;
import dev.ebb.domain.command.Command.RetryParked;
import dev.ebb.port.ParkedStreamView;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "parked",
        description = "Waiting records: lists them with their reasons, drops them, asks the registry again.",
        footer = "  ebb parked list")
@Subcommands({ParkedCommand.ListCommand.class, ParkedCommand.DropCommand.class, ParkedCommand.RetryCommand.class})
public final class ParkedCommand extends CommandGroup {

    @Command(
            name = "list",
            description = {
                "Lists streams with waiting records, the longest wait first.",
                "'ebb status' shows policies that cannot be read."
            },
            footer = "  ebb parked list --limit 20")
    static final class ListCommand extends ReadCommand<ParkedPage> {

        ListCommand() {
            super(ParkedPage.LIST, page -> table(page.parked()));
        }

        @Override
        protected void note(ParkedPage page, RestApi connected, OutputOptions below) {
            if (page.isMore()) {
                below.note("More streams wait; --limit shows more of them.");
            }
        }

        private static Table table(List<ParkedStreamView> streams) {
            return new Columns<ParkedStreamView>()
                    .right("#", ParkedStreamView::partition)
                    .left("STREAM", stream -> stream.stream().isEmpty() ? Texts.NONE : stream.stream())
                    .count("RECORDS", ParkedStreamView::records)
                    .bytes("BYTES", ParkedStreamView::bytes)
                    .time("SINCE", ParkedStreamView::since)
                    .left("WAITS FOR", ParkedStreamView::waitsFor)
                    .left("WHY", ParkedStreamView::why)
                    .left("FIRST RECORD", ParkedStreamView::first)
                    .table(streams);
        }
    }

    @Command(
            name = "retry",
            description = {
                "Asks the registry at once for the schemas that records wait for, even if it has answered before.",
                "Ebb also asks on its own, at least every two minutes."
            },
            footer = "  ebb parked retry --schema 7")
    static final class RetryCommand implements Callable<Integer> {

        @Option(
                names = "--stream",
                paramLabel = "STREAM",
                converter = ParameterReader.OfName.class,
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

    @Command(
            name = "drop",
            description = {
                "Drops records that cannot be taken in, so that later records of their streams can.",
                "Dropped records go to the rejected topic as DROPPED, unchanged; 'ebb rejected replay' brings them back."
            },
            footer = {
                "  ebb parked drop --schema 7 --dry-run",
                "  ebb parked drop --stream orders/eu-1 --reason 'its schema is lost'",
                "  ebb parked drop --stream orders/eu-1 --record ebb.events/2/4711 --reason 'a test'",
                "  ebb parked drop --policy namespace:orders --reason 'its schema is lost'"
            })
    static final class DropCommand implements Callable<Integer> {

        @Option(
                names = "--stream",
                paramLabel = "STREAM",
                converter = ParameterReader.OfName.class,
                description = "Stream whose records are dropped.")
        private @Nullable String stream;

        @Option(
                names = "--schema",
                paramLabel = "ID",
                description = "Schema whose waiting records are dropped, in all streams or in --stream.")
        private @Nullable Long schema;

        @Option(
                names = "--record",
                paramLabel = "TOPIC/PARTITION/OFFSET",
                description = "Record to drop, and no other, if it is the first of --stream.")
        private @Nullable String record;

        @Option(
                names = "--policy",
                paramLabel = "KEY",
                description = "Key of a policy or hold that cannot be read; the rest of its file is dropped with it.")
        private @Nullable String policy;

        @Option(
                names = "--policy-version",
                paramLabel = "N",
                description = "Offset that the record of --policy must have. Default: any.")
        private @Nullable Long version;

        @Mixin
        private CommandOptions options;

        @Override
        public Integer call() {
            boolean isOfRecords = stream != null || schema != null || record != null;
            if ((policy != null) == isOfRecords) {
                throw CommandFailure.usage("name the records to drop: --stream, --schema or both, or --policy alone");
            }
            if (version != null && policy == null) {
                throw CommandFailure.usage("--policy-version needs --policy");
            }
            if (!options.isDryRun() && options.isReasonMissing()) {
                throw CommandFailure.usage("--reason is missing; it is kept with each dropped record");
            }
            return policy == null ? options.run(() -> CommandCall.of(DropParked.KIND, body())) : dropPolicy(policy);
        }

        private int dropPolicy(String key) {
            if (options.isDryRun()) {
                throw CommandFailure.usage("--policy takes no --dry-run; 'ebb status' shows waiting policies");
            }
            if (options.hasCommandId()) {
                throw CommandFailure.usage("--policy takes no --command-id; dropping twice has no further effect");
            }
            JsonNode sent = options.post(
                    RestPath.of("v1", "policies", "drop").with("key", key).with("version", version));
            options.output().print(sent, terminal -> terminal.out()
                    .println("sent; 'ebb status' shows when sweeps resume, and 'ebb rejected list' shows the record"));
            return ExitCode.OK.code();
        }

        private ObjectNode body() {
            ObjectNode body = Json.object();
            Json.putGiven(body, "stream", stream);
            Json.putGiven(body, "schema", schema);
            Json.putGiven(body, "record", record);
            return body;
        }
    }
}
