package dev.ebb.cli.remove;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.SweepTables;
import dev.ebb.wire.history.SweepView;
import picocli.CommandLine.Command;

@Command(name = "list", footer = "  ebb sweep list --from 2026-11-01T00:00:00Z")
final class SweepListCommand extends ReadCommand<SweepView.Page> {

    SweepListCommand() {
        super(SweepView.LIST, page -> SweepTables.list(page.sweeps()));
    }
}
