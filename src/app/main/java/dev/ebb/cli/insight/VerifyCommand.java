package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.port.MirrorCheck.Refused;
import dev.ebb.port.MirrorCheck.What;
import dev.ebb.wire.instance.VerificationView;
import dev.ebb.wire.instance.VerificationView.Compared;
import dev.ebb.wire.instance.VerificationView.Repair;
import dev.ebb.wire.instance.VerificationView.Result;
import dev.ebb.wire.instance.VerificationView.Row;
import dev.ebb.wire.instance.VerificationView.State;
import dev.ebb.wire.instance.VerificationView.Verdict;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "verify",
        description = {
            "Compares the stores with the tables event and execution of the SQL mirror, and names every row that differs.",
            "Compares counts and hashes by stream and month first, and rows only where these differ. Events may flow"
                    + " meanwhile: a row that is still on its way to SQL is checked again after it arrives, and is no"
                    + " difference.",
            "The answer tells when both sides were read, and how many streams and months were compared; rows that the"
                    + " database refuses are named with the reason.",
            "Exit code 0 if both are equal (or were repaired), 3 if they differ or the database refuses rows, 4 if SQL"
                    + " did not catch up."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  ebb verify", "  ebb verify --repair --reason 'rows were deleted by hand'", "  ebb verify -o json"})
public final class VerifyCommand implements Callable<Integer> {

    private static final long LOOK_EVERY_MS = 250;

    /** Most rows whose reason is printed for people. */
    private static final int MOST_REASONS = 50;

    @Option(
            names = "--repair",
            description = {
                "Have the partitions send differing rows again: rows as they are stored, and deletes for rows"
                        + " without an event or execution in the stores. Changes no store."
            })
    private boolean repair;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "1m",
            description = "Longest wait for the mirror, or for a partition that moves. Default: ${DEFAULT-VALUE}.")
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
            throw CommandFailure.usage("--reason is for --repair; without it nothing is changed");
        }
        TimeText.durationMs("--wait", wait);
        RestApi connected = api.connectSilently();
        RestPath path = repair ? author.sign(RestPath.of("v1", "verify", "repair")) : RestPath.of("v1", "verify");
        JsonNode ended = ended(connected, connected.post(path.with("wait", wait)));
        VerificationView view = Json.as(ended, VerificationView.class);
        Result result = view.result();
        if (result == null) {
            ExitCode why = view.state() == State.NOT_READY ? ExitCode.NOT_READY : ExitCode.FAILED;
            throw new CommandFailure(why, view.detail());
        }
        output.print(ended.path("result"), terminal -> table(terminal, result));
        return exitCode(result.verdict()).code();
    }

    /** Shows the progress until the comparison has ended; it goes on without this command. */
    private JsonNode ended(RestApi connected, JsonNode begun) {
        VerificationView view = Json.as(begun, VerificationView.class);
        AtomicReference<String> shown = new AtomicReference<>(progress(view));
        RestPath path = RestPath.of("v1", "verify", view.id());
        try (Progress progress = Progress.saying(output.terminal(), shown::get)) {
            JsonNode answer = begun;
            while (view.state() == State.RUNNING) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
                answer = connected.get(path);
                view = Json.as(answer, VerificationView.class);
                shown.set(progress(view));
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
        }
    }

    /**
     * Returns the progress as a text, without the differences, which follow at the end: until then SQL may just lack
     * the latest rows.
     */
    static String progress(VerificationView view) {
        String compared = view.doing() + "; " + Texts.counted(view.streams(), "stream") + " compared";
        return view.differences() == 0
                ? compared
                : compared + ", " + Texts.counted(view.differences(), "difference") + " so far";
    }

    private static ExitCode exitCode(Verdict verdict) {
        return switch (verdict) {
            case EQUAL -> ExitCode.OK;
            case DIFFERENT -> ExitCode.DIFFERENCES;
            case BEHIND -> ExitCode.NOT_READY;
        };
    }

    private static void table(Terminal terminal, Result result) {
        new Table()
                .left("TABLE")
                .right("STORED")
                .right("IN SQL")
                .row(
                        "event",
                        Texts.count(result.event().stored()),
                        Texts.count(result.event().sql()))
                .row(
                        "execution",
                        Texts.count(result.execution().stored()),
                        Texts.count(result.execution().sql()))
                .print(terminal);
        rows(terminal, "differs", "differ", result.differences(), result.rows());
        rows(terminal, "was still moving", "were still moving", result.moving(), result.movingRows());
        reasons(terminal, result.rows());
        refused(terminal, result);
        terminal.out().println();
        compared(result.compared()).forEach(line -> terminal.out().println(line));
        terminal.out().println();
        terminal.out().println(verdict(result));
    }

    private static void rows(Terminal terminal, String one, String many, long count, List<Row> rows) {
        if (count == 0) {
            return;
        }
        terminal.out().println();
        new Columns<Row>()
                .left("STREAM", Row::stream)
                .left(
                        "EVENT OR EXECUTION",
                        row -> row.eventId() == null ? "execution " + row.execution() : row.eventId())
                .left("STORED AT", Row::storedAt)
                .left("WHAT", row -> what(row.what()))
                .left("FIELDS", row -> row.fields().isEmpty() ? Texts.NONE : String.join(", ", row.fields()))
                .table(rows)
                .print(terminal);
        String leftOut = count > rows.size() ? ", of which the first " + Texts.count(rows.size()) + " are named" : "";
        terminal.out().println(Texts.counted(count, "row") + " " + (count == 1 ? one : many) + leftOut);
    }

    /** Tells why rows differ, as far as that is known, and how to heal those that no repair can reach. */
    private static void reasons(Terminal terminal, List<Row> rows) {
        List<Row> explained = rows.stream().filter(row -> row.why() != null).toList();
        if (!explained.isEmpty()) {
            terminal.out().println();
        }
        explained.stream().limit(MOST_REASONS).forEach(row -> {
            String id = row.eventId() == null ? "execution " + row.execution() : row.eventId();
            terminal.out().println(CellText.safe(row.stream() + " " + id + ": " + row.why()));
        });
        if (explained.size() > MOST_REASONS) {
            terminal.out()
                    .println("… and " + Texts.count(explained.size() - MOST_REASONS) + " more with a reason; see"
                            + " 'why' of -o json");
        }
        List<String> byHand =
                rows.stream().map(Row::byHand).filter(Objects::nonNull).toList();
        if (!byHand.isEmpty()) {
            terminal.out().println();
            terminal.out().println("No record can address these rows. Delete them by hand, in SQL:");
            byHand.forEach(sql -> terminal.out().println("  " + CellText.safe(sql)));
        }
    }

    private static void refused(Terminal terminal, Result result) {
        if (result.refused() == 0) {
            return;
        }
        terminal.out().println();
        new Columns<Refused>()
                .left("REFUSED BY", Refused::table)
                .left("ROW", Refused::key)
                .left("TO BE", row -> row.isDelete() ? "deleted" : "written")
                .left("SINCE", Refused::refusedAt)
                .left("WHY", Refused::reason)
                .table(result.refusedRows())
                .print(terminal);
        long leftOut = result.refused() - result.refusedRows().size();
        terminal.out()
                .println(Texts.counted(result.refused(), "row")
                        + (result.refused() == 1 ? " is" : " are")
                        + " refused by the database and set aside"
                        + (leftOut > 0 ? "; " + Texts.count(leftOut) + " of them are not named" : ""));
    }

    /** Returns the extent and the moments of the comparison, for people. */
    static List<String> compared(Compared compared) {
        List<String> months = compared.months();
        String ofMonths = months.isEmpty()
                ? ""
                : " in " + Texts.counted(months.size(), "month") + " ("
                        + (months.size() == 1 ? "" : months.get(0) + " to ")
                        + months.get(months.size() - 1) + ")";
        String extent = "Compared: " + Texts.counted(compared.streams(), "stream") + " with events" + ofMonths + ", "
                + Texts.counted(compared.executionStreams(), "stream") + " with executions.";
        String moments = "Stores were read from " + moment(compared.storesFrom()) + " to " + moment(compared.storesTo())
                + ", SQL from " + moment(compared.sqlFrom()) + " to " + moment(compared.sqlTo())
                + ". Later changes, and events that fell due later, were not compared.";
        return List.of(extent, moments);
    }

    private static String moment(@Nullable String time) {
        return time == null ? Texts.NONE : time;
    }

    private static String what(What what) {
        return switch (what) {
            case MISSING_IN_SQL -> "missing in SQL";
            case TOO_MANY_IN_SQL -> "too many in SQL";
            case DIFFERS -> "differs";
        };
    }

    private static String verdict(Result result) {
        StringBuilder text = new StringBuilder();
        if (result.equal()) {
            text.append("Stores and SQL are equal.");
            if (result.event().stored() != result.event().sql()) {
                text.append(" The sums differ because events come and go while they are counted.");
            }
        } else if (result.differences() > 0) {
            text.append("Stores and SQL differ.");
        }
        if (result.differences() == 0 && result.refused() > 0) {
            text.append("The database refuses rows. Their events are in the stores.");
        }
        if (result.mirrorBehind()) {
            text.append(text.isEmpty() ? "" : " ")
                    .append("SQL did not catch up in time, so not all could be compared: see 'mirror' of 'ebb status',")
                    .append(" and try again with a longer --wait.");
        }
        if (result.differences() > 0) {
            text.append(result.repair() == null ? " 'ebb verify --repair' repairs this." : healed(result.repair()));
        }
        return text.toString();
    }

    private static String healed(Repair repair) {
        String left = repair.unhealed() == 0
                ? "Now they are equal."
                : Texts.counted(repair.unhealed(), "row")
                        + (repair.unhealed() == 1 ? " still differs" : " still differ")
                        + ", for the reasons above.";
        return " Sent again: " + Texts.counted(repair.rowsSent(), "row") + ", and "
                + Texts.counted(repair.rowsRemoved(), "delete") + ". " + left;
    }
}
