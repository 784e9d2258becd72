package dev.ebb.cli.insight;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.RejectedView;
import picocli.CommandLine.Command;

@Command(name = "show", footer = "  ebb rejected show 0-17")
final class RejectedShowCommand extends ReadCommand<RejectedView> {

    RejectedShowCommand() {
        super(RejectedView.SHOW, record -> FieldTable.of(WireJson.tree(record)));
    }
}
