package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandCall.Method;
import dev.ebb.cli.send.CommandWatch;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.cli.verify.Repairs;
import dev.ebb.cli.verify.VerifyRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Compares what is stored with the tables event and execution of the SQL mirror, and names every row that differs.",
            "Counts and hashes by stream and month come first, rows only where those differ. It may run while events flow:"
                    + " what is still on its way is looked at again when SQL has it, and is no difference.",
            "Exit code 0 if both are equal (or were repaired), 3 if they differ, 4 if SQL did not catch up."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  ebb verify", "  ebb verify --repair --reason 'rows were deleted by hand'", "  ebb verify -o json"})
public final class VerifyCommand implements Callable<Integer> {

    @Option(
            names = "--repair",
            description = {
                "Have the partitions send again what differs: rows as they are stored, and deletes for rows of which nothing"
                        + " is stored. Nothing that is stored is changed."
            })
    private boolean repair;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "1m",
            description = "How long the mirror is waited for where something differs. Default: ${DEFAULT-VALUE}.")
    private String wait;

    @Mixin
    private AuthorOptions author;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        if (!repair && author.reason() != null) {
            throw new CommandFailure(ExitCode.USAGE, "--reason is for --repair; without it nothing is changed");
        }
        Duration patience = Duration.ofMillis(TimeText.durationMs("--wait", wait));
        RestApi connected = api.connectSilently();
        VerifyRun run =
                VerifyRun.of(connected, output.terminal(), patience, repair ? new Commands(connected) : Repairs.NONE);
        output.print(run.view(), terminal -> table(terminal, run.view()));
        return run.exitCode().code();
    }

    /** Repairs by commands, each of which names itself anew. */
    private final class Commands implements Repairs {

        private final RestApi connected;

        Commands(RestApi connected) {
            this.connected = connected;
        }

        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public JsonNode repair(String stream, ObjectNode fields) {
            String id = UUID.randomUUID().toString();
            RestPath path =
                    author.sign(RestPath.of("v1", "streams", stream, "repair")).with("commandId", id);
            return new CommandWatch(connected, output.terminal().withoutErrors())
                    .send(new CommandCall(Method.POST, path, fields), id);
        }
    }

    private static void table(Terminal terminal, JsonNode result) {
        Table sums = new Table().left("TABLE").right("STORED").right("IN SQL");
        for (String name : List.of("event", "execution")) {
            JsonNode rows = result.path(name);
            sums.row(name, Texts.count(rows.path("stored")), Texts.count(rows.path("sql")));
        }
        sums.print(terminal);
        rows(terminal, "differs", "differ", result.path("differences").asLong(), result.path("rows"));
        rows(
                terminal,
                "was still moving",
                "were still moving",
                result.path("moving").asLong(),
                result.path("movingRows"));
        terminal.out().println();
        terminal.out().println(verdict(result));
    }

    private static void rows(Terminal terminal, String one, String many, long count, JsonNode rows) {
        if (count == 0) {
            return;
        }
        terminal.out().println();
        Table table = new Table()
                .left("STREAM")
                .left("EVENT OR EXECUTION")
                .left("STORED AT")
                .left("WHAT")
                .left("FIELDS");
        for (JsonNode row : rows) {
            table.row(
                    row.path("stream").asText(),
                    id(row),
                    Texts.time(row.path("storedAt")),
                    what(row.path("what").asText()),
                    fields(row.path("fields")));
        }
        table.print(terminal);
        String leftOut = count > rows.size() ? ", of which the first " + Texts.count(rows.size()) + " are named" : "";
        terminal.out().println(Texts.counted(count, "row") + " " + (count == 1 ? one : many) + leftOut);
    }

    private static String id(JsonNode row) {
        return row.path("eventId").isTextual()
                ? row.path("eventId").textValue()
                : "execution " + row.path("execution").asText();
    }

    private static String what(String what) {
        return switch (what) {
            case "MISSING_IN_SQL" -> "missing in SQL";
            case "TOO_MANY_IN_SQL" -> "too many in SQL";
            default -> "differs";
        };
    }

    private static String fields(JsonNode fields) {
        List<String> names = new ArrayList<>();
        fields.forEach(name -> names.add(name.asText()));
        return names.isEmpty() ? Texts.NONE : String.join(", ", names);
    }

    private static String verdict(JsonNode result) {
        StringBuilder text = new StringBuilder();
        if (result.path("equal").asBoolean()) {
            text.append("Stores and SQL are equal.");
        } else if (result.path("differences").asLong() > 0) {
            text.append("Stores and SQL differ.");
        }
        if (result.path("mirrorBehind").asBoolean()) {
            text.append(text.isEmpty() ? "" : " ")
                    .append("SQL did not catch up in time, so not all could be compared: see 'mirror' of 'ebb status',")
                    .append(" and try again with a longer --wait.");
        }
        JsonNode repair = result.path("repair");
        if (repair.isObject() && result.path("differences").asLong() > 0) {
            long unhealed = repair.path("unhealed").asLong();
            text.append(" Sent again: ")
                    .append(Texts.counted(repair.path("rowsSent"), "row"))
                    .append(", and ")
                    .append(Texts.counted(repair.path("rowsRemoved"), "delete"))
                    .append(". ")
                    .append(
                            unhealed == 0
                                    ? "Now they are equal."
                                    : Texts.counted(unhealed, "row")
                                            + (unhealed == 1 ? " still differs." : " still differ."));
        } else if (result.path("differences").asLong() > 0) {
            text.append(" 'ebb verify --repair' puts that right.");
        }
        return text.toString();
    }
}
