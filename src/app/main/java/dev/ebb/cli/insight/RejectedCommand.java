package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.RejectedView;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "rejected",
        description = "Rejected records: their reasons, and a second try.",
        footer = "  ebb rejected list --reason BAD_TTL")
@Subcommands({RejectedCommand.ListCommand.class, RejectedCommand.ShowCommand.class, RejectedReplayCommand.class})
public final class RejectedCommand extends CommandGroup {

    @Command(name = "list", footer = "  ebb rejected list --reason UNDECODABLE --limit 20")
    static final class ListCommand extends ReadCommand<RejectedView.Page> {

        ListCommand() {
            super(RejectedView.LIST, page -> table(page.rejected()));
        }

        static Table table(List<RejectedView> records) {
            return new Columns<RejectedView>()
                    .left("ID", RejectedView::id)
                    .time("REJECTED", RejectedView::rejectedAt)
                    .left("REASON", RejectedView::reason)
                    .left("FROM", record -> record.topic() + " " + record.partition() + ":" + record.offset())
                    .left("KEY", RejectedView::key)
                    .right(
                            "BYTES",
                            record -> Texts.count(record.bytes()) + (isWithoutValue(record) ? " (left out)" : ""))
                    .left("DETAIL", RejectedView::detail)
                    .table(records);
        }

        /** Returns true if the value was too big to keep, so that the record cannot be replayed. */
        static boolean isWithoutValue(RejectedView record) {
            return record.leftOut() != null;
        }
    }

    @Command(name = "show", footer = "  ebb rejected show 0-17")
    static final class ShowCommand extends ReadCommand<RejectedView> {

        ShowCommand() {
            super(RejectedView.SHOW, record -> FieldTable.of(WireJson.tree(record)));
        }
    }
}
