package dev.ebb.cli.remove;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.tables.SweepTables;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.SweepView;
import picocli.CommandLine.Command;

@Command(name = "show", footer = "  ebb sweep show sweep-0-1795255200000-1a2b")
final class SweepShowCommand extends ReadCommand<SweepView.Detail> {

    SweepShowCommand() {
        super(SweepView.SHOW, SweepShowCommand::table);
    }

    private static void table(Terminal terminal, SweepView.Detail detail) {
        SweepView sweep = detail.sweep();
        FieldTable.of(WireJson.tree(sweep), "deleted", "wouldDelete").print(terminal);
        terminal.out().println();
        boolean isOnlyWarned = sweep.mode().equals("warn");
        SweepTables.causes(isOnlyWarned ? sweep.wouldDelete() : sweep.deleted()).print(terminal);
        if (detail.byPartition().size() > 1) {
            terminal.out().println();
            SweepTables.list(detail.byPartition()).print(terminal);
        }
    }
}
