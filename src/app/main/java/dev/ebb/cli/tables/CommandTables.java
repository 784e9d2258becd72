package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.commands.CommandResultView;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results of commands as tables. */
public final class CommandTables {

    private static final String DROP_PARKED = "drop-parked";

    /** Commands that delete no event: a line about deletes would only puzzle the reader. */
    private static final Set<String> DELETES_NOTHING = Set.of("repair", "repair-stream", "retry-parked", "undo");

    private CommandTables() {}

    /** Shows the result of a command or of its dry run; of the counts only those that matter. */
    public static void result(Terminal terminal, CommandResultView result) {
        result(terminal, result, () -> {});
    }

    /** @param beforeParts shows something before the parts */
    public static void result(Terminal terminal, CommandResultView result, Runnable beforeParts) {
        facts(result).print(terminal);
        beforeParts.run();
        parts(terminal, result.parts());
        if (result.undo() != null) {
            ReturnTable.named(terminal, result.undo());
        }
        if (result.foundNothingToUndo()) {
            terminal.out().println();
            terminal.out().println("no such delete can be undone; 'ebb trash list' shows the deletes that can");
        }
        if (result.partsLeftOut() > 0) {
            terminal.out().println("and " + result.partsLeftOut() + " smaller ones");
        }
        if (result.dryRun() && result.leftEverything() && !DELETES_NOTHING.contains(result.verb())) {
            terminal.out().println();
            boolean isDrop = DROP_PARKED.equals(result.verb());
            terminal.out().println(isDrop ? "nothing would be dropped" : "nothing would be deleted");
        }
    }

    private static Table facts(CommandResultView result) {
        Table table = Table.ofFacts()
                .fact("command", result.commandId())
                .fact("asked for", result.verb() + (result.dryRun() ? ", dry run" : ""))
                .fact("state", state(result));
        text(table, "detail", result.detail());
        text(table, "sweep point", result.sweepPoint());
        text(table, "policy version", result.policyVersion());
        text(table, "completed", result.completedAt());
        if (result.completedAt() != null) {
            table.fact("took", SweepTables.took(result.durationMs()));
        }
        if (result.prepared() != null) {
            table.fact("before it", result.prepared().text());
        }
        if (result.undo() == null) {
            counts(table, result);
        } else {
            ReturnTable.show(table, result.undo(), result.dryRun());
        }
        if (result.plan() != null) {
            PlanRows.show(table, result.plan());
        }
        return table;
    }

    private static void counts(Table table, CommandResultView result) {
        String gone = result.dryRun() ? "would go" : "deleted";
        // A sweep knows which streams have something due and visits no others.
        String verb = result.verb();
        String streams = "sweep".equals(verb) ? "streams with something due" : "streams looked at";
        table.fact(streams, Texts.count(result.streamsProcessed()));
        if (DROP_PARKED.equals(verb)) {
            table.fact(dropped(result), Texts.count(result.recordsDropped()));
        } else if (!DELETES_NOTHING.contains(verb)) {
            deleted(table, result, gone);
        }
        warned(table, result);
        count(table, "rows sent again", result.rowsSent());
        count(table, "rows removed", result.rowsRemoved());
        result.streamsSkipped().forEach((reason, count) -> count(table, "streams skipped, " + reason, count));
    }

    private static void deleted(Table table, CommandResultView result, String gone) {
        count(table, "streams " + gone, result.streamsDeleted());
        count(table, "executions " + gone, result.executionsDeleted());
        table.fact("events " + gone, Texts.count(result.eventsDeleted()));
        count(table, "of them protected", result.protectedEventsDeleted());
        count(table, "bytes " + gone, result.bytesDeleted());
        count(table, dropped(result), result.recordsDropped());
    }

    /** Adds rows for events that mode warn keeps; a dry run has counted its events above already. */
    private static void warned(Table table, CommandResultView result) {
        long kept = result.wouldDelete() - (result.dryRun() ? result.eventsDeleted() : 0);
        if (kept > 0) {
            long bytes = result.wouldDeleteBytes() - (result.dryRun() ? result.bytesDeleted() : 0);
            table.fact("events kept by mode warn", Texts.count(kept));
            table.fact("bytes kept by mode warn", Texts.count(bytes));
        }
    }

    private static String dropped(CommandResultView result) {
        return result.dryRun() ? "records that would be dropped" : "records dropped";
    }

    private static void parts(Terminal terminal, List<CommandResultView.Part> parts) {
        if (parts.isEmpty()) {
            return;
        }
        terminal.out().println();
        new Columns<CommandResultView.Part>()
                .left("STREAM", CommandResultView.Part::stream)
                .left("CAUSE", CommandResultView.Part::cause)
                .count("EVENTS", CommandResultView.Part::events)
                .bytes("BYTES", CommandResultView.Part::bytes)
                .table(parts)
                .print(terminal);
    }

    private static Cell state(CommandResultView result) {
        return switch (result.state()) {
            case "DONE" -> new Cell("done", Style.GREEN);
            case "REFUSED" -> new Cell("refused, " + result.refusal(), Style.RED);
            default -> new Cell("running", Style.YELLOW);
        };
    }

    private static void text(Table table, String label, @Nullable Object value) {
        String text = value instanceof Instant time ? Texts.time(time) : Objects.toString(value, "");
        if (!text.isEmpty()) {
            table.fact(label, text);
        }
    }

    private static void count(Table table, String label, long count) {
        if (count != 0) {
            table.fact(label, Texts.count(count));
        }
    }
}
