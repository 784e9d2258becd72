package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Outcome.Left;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.wire.commands.CommandResultView;
import java.time.Duration;
import java.time.Instant;

/** Results of commands as tables. */
public final class CommandTables {

    private CommandTables() {}

    /** Shows the result of a command or of its dry run; of the counts only those that matter. */
    public static void result(Terminal terminal, CommandResultView result) {
        result(terminal, result, () -> {});
    }

    /** @param beforeParts shows something before the parts */
    public static void result(Terminal terminal, CommandResultView result, Runnable beforeParts) {
        facts(result).print(terminal);
        beforeParts.run();
        if (result.outcome() instanceof Outcome.Swept sweep) {
            parts(terminal, sweep.parts());
        } else if (result.outcome() instanceof Outcome.Undone undo) {
            named(terminal, undo);
        }
        if (result.foundNothingToUndo()) {
            terminal.out().println();
            terminal.out().println("no such delete can be undone; 'ebb trash list' shows the deletes that can");
        }
        if (result.result().dryRun()) {
            nothing(terminal, result);
        }
    }

    private static void nothing(Terminal terminal, CommandResultView result) {
        if (result.deletedNothing()) {
            terminal.out().println();
            terminal.out().println("nothing would be deleted");
        } else if (result.outcome() instanceof Outcome.Dropped dropped && dropped.records() == 0) {
            terminal.out().println();
            terminal.out().println("nothing would be dropped");
        }
    }

    private static Table facts(CommandResultView view) {
        CommandResult result = view.result();
        Table table = Table.ofFacts()
                .fact("command", result.commandId())
                .fact("asked for", result.verb() + (result.dryRun() ? ", dry run" : ""))
                .fact("state", state(result));
        if (!result.detail().isEmpty()) {
            table.fact("detail", result.detail());
        }
        Instant start = result.startedAt();
        Instant end = result.updatedAt();
        if (result.isFinal() && start != null && end != null) {
            long tookMs = Math.max(0, Duration.between(start, end).toMillis());
            table.fact("completed", Texts.time(end)).fact("took", SweepTables.took(tookMs));
        }
        if (view.prepared() != null) {
            table.fact("before it", view.prepared().text());
        }
        OutcomeRows.show(table, (Record) view.outcome(), result.dryRun());
        if (result.plan() != null) {
            PlanRows.show(table, result.plan());
        }
        return table;
    }

    private static void parts(Terminal terminal, Outcome.Parts parts) {
        if (!parts.biggest().isEmpty()) {
            terminal.out().println();
            new Columns<Part>()
                    .left("STREAM", Part::stream)
                    .left("CAUSE", part -> part.cause().name())
                    .count("EVENTS", Part::events)
                    .bytes("BYTES", Part::bytes)
                    .table(parts.biggest())
                    .print(terminal);
        }
        if (parts.leftOut() > 0) {
            terminal.out().println("and " + parts.leftOut() + " smaller ones");
        }
    }

    private static void named(Terminal terminal, Outcome.Undone undo) {
        if (undo.named().isEmpty()) {
            return;
        }
        terminal.out().println();
        new Columns<Left>()
                .left("LEFT OUT", left -> left.reason().name())
                .left("STREAM", Left::stream)
                .left("ID", Left::id)
                .table(undo.named())
                .print(terminal);
        long others =
                undo.notReturned().values().stream().mapToLong(Long::longValue).sum()
                        - undo.named().size();
        if (others > 0) {
            terminal.out().println("and " + Texts.counted(others, "more event"));
        }
    }

    private static Cell state(CommandResult result) {
        return switch (result.state()) {
            case DONE -> new Cell("done", Style.GREEN);
            case REFUSED -> new Cell("refused, " + result.refusal(), Style.RED);
            case RUNNING -> new Cell("running", Style.YELLOW);
        };
    }
}
