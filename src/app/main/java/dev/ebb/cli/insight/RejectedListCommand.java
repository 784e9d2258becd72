package dev.ebb.cli.insight;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.history.RejectedView;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "list", footer = "  ebb rejected list --reason UNDECODABLE --limit 20")
final class RejectedListCommand extends ReadCommand<RejectedView.Page> {

    RejectedListCommand() {
        super(RejectedView.LIST, page -> table(page.rejected()));
    }

    static Table table(List<RejectedView> records) {
        return new Columns<RejectedView>()
                .left("ID", RejectedView::id)
                .time("REJECTED", RejectedView::rejectedAt)
                .left("REASON", RejectedView::reason)
                .left("FROM", record -> record.topic() + " " + record.partition() + ":" + record.offset())
                .left("KEY", RejectedView::key)
                .right("BYTES", record -> Texts.count(record.bytes()) + (isWithoutValue(record) ? " (left out)" : ""))
                .left("DETAIL", RejectedView::detail)
                .table(records);
    }

    /** Returns true if the value was too big to keep, so that the record cannot be replayed. */
    static boolean isWithoutValue(RejectedView record) {
        return record.leftOut() != null;
    }
}
