package dev.ebb.cli.insight;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.AuditView;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;

@Command(name = "show", footer = "  ebb audit show sweep-0-1795255200000-1a2b-0")
final class AuditShowCommand extends ReadCommand<AuditView> {

    AuditShowCommand() {
        super(AuditView.SHOW, AuditShowCommand::table);
    }

    private static void table(Terminal terminal, AuditView entry) {
        FieldTable.of(WireJson.tree(entry), "eventIds").print(terminal);
        terminal.out().println();
        FieldTable.list("EVENT", Objects.requireNonNullElse(entry.eventIds(), List.of()))
                .print(terminal);
    }
}
