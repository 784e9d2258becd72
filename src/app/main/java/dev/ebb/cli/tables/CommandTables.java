package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.Command;
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

    /** Shows the result of a command or of its dry run: first a sentence, then the counts that matter. */
    public static void result(Terminal terminal, CommandResultView result, boolean isVerbose) {
        result(terminal, result, isVerbose, "", () -> {});
    }

    /**
     * Shows a result.
     *
     * @param isVerbose true if the lines that only an investigation needs follow the counts (O-26)
     * @param where the streams that the command means, such as {@code "of stream orders/1"}; empty if they are not known
     * @param afterAnswer shows something below the first sentence
     */
    public static void result(
            Terminal terminal, CommandResultView result, boolean isVerbose, String where, Runnable afterAnswer) {
        terminal.out().println(CellText.safe(answer(result, where)));
        afterAnswer.run();
        terminal.out().println();
        facts(result, isVerbose).print(terminal);
        if (result.outcome() instanceof Outcome.Swept sweep) {
            parts(terminal, sweep.parts());
        } else if (result.outcome() instanceof Outcome.Undone undo) {
            named(terminal, undo);
        }
    }

    /** Returns the sentence that a person wants to read first. */
    private static String answer(CommandResultView view, String where) {
        CommandResult result = view.result();
        if (result.state() == CommandResult.State.RUNNING) {
            return "The command is still running.";
        }
        if (result.state() == CommandResult.State.REFUSED) {
            return "Refused: " + result.detail();
        }
        if (view.foundNothingToUndo()) {
            return "No such delete can be undone; 'ebb trash list' shows the deletes that can.";
        }
        String place = where.isEmpty() ? "" : " " + where;
        boolean isDry = result.dryRun();
        if (view.outcome() instanceof Outcome.Undone undo) {
            return (isDry ? "Would bring back " : "Brought back ") + amount(undo.events(), undo.bytes()) + " of "
                    + Texts.counted(undo.streams(), "stream") + place + ".";
        }
        if (view.outcome() instanceof Outcome.Dropped dropped) {
            String records = Texts.counted(dropped.records(), "record");
            return isDry
                    ? dropped.records() == 0 ? "Nothing would be dropped." : "Would drop " + records + "."
                    : "Dropped " + records + ".";
        }
        if (result.verb().equals(Command.SetTtl.KIND.verb()) && !result.detail().isEmpty()) {
            return (isDry ? "The TTL would be changed: " : "The TTL is changed: ") + result.detail() + ".";
        }
        if (view.deletedNothing()) {
            return (isDry ? "Nothing would be deleted" : "Nothing was deleted") + place + ".";
        }
        Outcome.Deleted gone = view.outcome().deletions();
        if (!(view.outcome() instanceof Outcome.Deleted || view.outcome() instanceof Outcome.Swept)) {
            return isDry
                    ? "A dry run of " + result.verb() + ", which changed nothing."
                    : "The command " + result.verb() + " is done.";
        }
        if (result.plan() != null && isEmpty(gone) && !result.detail().isEmpty()) {
            // An erasure may find copies alone, of events that had gone before.
            return "No stored event " + (isDry ? "would go; " : "went; ") + result.detail() + ".";
        }
        boolean isOneStream = where.startsWith("of stream ");
        String streams = gone.streamsDeleted() == 0 || isOneStream
                ? ""
                : " and " + Texts.counted(gone.streamsDeleted(), "stream");
        return (isDry ? "Would delete " : "Deleted ") + amount(gone.eventsDeleted(), gone.bytesDeleted()) + streams
                + place + ".";
    }

    private static boolean isEmpty(Outcome.Deleted gone) {
        return gone.eventsDeleted() == 0 && gone.streamsDeleted() == 0 && gone.executionsDeleted() == 0;
    }

    private static String amount(long events, long bytes) {
        return Texts.counted(events, "event") + " (" + Texts.bytes(bytes) + ")";
    }

    private static Table facts(CommandResultView view, boolean isVerbose) {
        CommandResult result = view.result();
        Table table = Table.ofFacts();
        OutcomeRows.show(table, (Record) view.outcome(), result.dryRun());
        if (!result.detail().isEmpty()) {
            table.fact("detail", result.detail());
        }
        if (view.prepared() != null) {
            table.fact("before it", view.prepared().text());
        }
        if (result.plan() != null) {
            PlanRows.show(table, result.plan(), isVerbose);
        }
        boolean isDone = result.state() == CommandResult.State.DONE;
        // The audit names a command by its id. A dry run has one as well, which is that of its plan.
        if (isVerbose || !isDone || !result.dryRun()) {
            table.fact("command", result.commandId());
        }
        if (isVerbose) {
            table.fact("asked for", result.verb() + (result.dryRun() ? ", dry run" : ""));
        }
        if (isVerbose || !isDone) {
            table.fact("state", state(result));
        }
        Instant start = result.startedAt();
        Instant end = result.updatedAt();
        if (isVerbose && result.isFinal() && start != null && end != null) {
            long tookMs = Math.max(0, Duration.between(start, end).toMillis());
            table.fact("completed", Texts.time(end)).fact("took", SweepTables.took(tookMs));
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
