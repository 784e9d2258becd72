package dev.ebb.archive;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import java.util.Objects;
import picocli.CommandLine.Command;

@Command(
        name = "archive",
        description = "Deleted events that a policy with archive: true kept.",
        footer = {"  ebb archive list --namespace orders --from 2026-11-01"})
@Subcommands(ArchiveCommand.ListCommand.class)
public final class ArchiveCommand extends CommandGroup {

    @Command(
            name = "list",
            description = "Lists archived events, the last deleted first. --from and --to are times of the delete.",
            footer = {
                "  ebb archive list --stream orders/eu-1",
                "  ebb archive list --namespace orders --cause MAX_AGE --from 2026-11-01 --limit 20"
            })
    static final class ListCommand extends ReadCommand<ArchiveView.Page> {

        ListCommand() {
            super(ArchiveView.LIST, ListCommand::table);
        }

        private static Table table(ArchiveView.Page page) {
            return new Columns<ArchiveView>()
                    .left("RECORD", ArchiveView::record)
                    .left("DELETED", event -> Texts.second(event.deletedAt()))
                    .left("CAUSE", ArchiveView::cause)
                    .left("STREAM", ArchiveView::stream)
                    .left("ID", ArchiveView::id)
                    .left("TYPE", ArchiveView::type)
                    .count("BYTES", ArchiveView::bytes)
                    .left("BY", ListCommand::by)
                    .table(page.archived());
        }

        /** Returns the scope of the policy that deleted the event, or else the command. */
        private static String by(ArchiveView event) {
            return event.scope().isEmpty()
                    ? "command " + Objects.requireNonNullElse(event.commandId(), Texts.NONE)
                    : Texts.rule(event.scope());
        }
    }
}
