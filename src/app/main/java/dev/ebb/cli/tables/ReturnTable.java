package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.commands.ReturnView;
import dev.ebb.wire.commands.ReturnView.Left;

/** The rows of an undo in the table of a result, and the first events that it does not bring back. */
final class ReturnTable {

    private ReturnTable() {}

    static void show(Table table, ReturnView undo, boolean isDryRun) {
        String back = isDryRun ? "would come back" : "came back";
        table.fact("events that " + back, Texts.count(undo.events()));
        table.fact("bytes that " + back, Texts.count(undo.bytes()));
        table.fact("streams", Texts.count(undo.streams()));
        if (undo.executions() > 0) {
            table.fact("executions that " + back, Texts.count(undo.executions()));
        }
        if (undo.noticeUntil() != null) {
            table.fact("under notice until", Texts.time(undo.noticeUntil()));
            table.fact("due again after that", Texts.count(undo.dueAfterNotice()));
            table.fact("the first goes after", Texts.time(undo.firstDueAt()));
        }
        undo.notReturned().forEach((reason, events) -> table.fact("left out, " + reason, Texts.count(events)));
    }

    static void named(Terminal terminal, ReturnView undo) {
        if (undo.named().isEmpty()) {
            return;
        }
        terminal.out().println();
        new Columns<Left>()
                .left("LEFT OUT", Left::reason)
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
}
