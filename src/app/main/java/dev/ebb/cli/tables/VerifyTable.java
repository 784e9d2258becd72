package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.port.MirrorCheck.Refused;
import dev.ebb.port.MirrorCheck.What;
import dev.ebb.wire.instance.VerificationView.Compared;
import dev.ebb.wire.instance.VerificationView.Repair;
import dev.ebb.wire.instance.VerificationView.Result;
import dev.ebb.wire.instance.VerificationView.Row;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Result of a comparison of stores and SQL, for people. Stateless. */
public final class VerifyTable {

    /** Most rows whose reason is printed. */
    private static final int MOST_REASONS = 50;

    private VerifyTable() {}

    /** Prints the result. */
    public static void print(Terminal terminal, Result result) {
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
                .left("TABLE", Refused::table)
                .left("ROW", Refused::key)
                .left("TO BE", row -> row.isDelete() ? "deleted" : "written")
                .left("SINCE", Refused::refusedAt)
                .left("WHY", Refused::reason)
                .table(result.refusedRows())
                .print(terminal);
        long leftOut = result.refused() - result.refusedRows().size();
        terminal.out()
                .println(Texts.counted(result.refused(), "note")
                        + " of rows that the database refuses, or that were written without fields"
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
            text.append("The database refuses rows, or they lack fields. The reasons are above.");
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
