package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.receipt.AuditVerifyCommand;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.AuditView;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;

@Command(
        name = "audit",
        description = "Deletes with their causes, and changes of policies.",
        footer = "  ebb audit list --stream orders/eu-1")
@Subcommands({AuditCommand.ListCommand.class, AuditCommand.ShowCommand.class, AuditVerifyCommand.class})
public final class AuditCommand extends CommandGroup {

    @Command(name = "list", footer = "  ebb audit list --namespace orders --cause MAX_AGE --from 2026-11-01T00:00:00Z")
    static final class ListCommand extends ReadCommand<AuditView.Page> {

        ListCommand() {
            super(AuditView.LIST, ListCommand::table);
        }

        private static Table table(AuditView.Page page) {
            return new Columns<AuditView>()
                    .time("AT", AuditView::at)
                    .left("ACTION", AuditView::action)
                    .left("CAUSE", AuditView::cause)
                    .left("STREAM OR POLICY", ListCommand::subject)
                    .count("EVENTS", ListCommand::events)
                    .bytes("BYTES", AuditView::bytes)
                    .left("BY", ListCommand::by)
                    .left("ID", AuditView::auditId)
                    .table(page.audit());
        }

        /** Returns the number of events that went, or of those whose rows went. */
        private static long events(AuditView entry) {
            Long total = entry.total();
            return total != null && entry.action().equals(AuditView.Action.ROWS_REMOVED.name())
                    ? total
                    : entry.events();
        }

        /** Returns the stream from which events were deleted, or the scope whose policy or hold changed. */
        private static String subject(AuditView entry) {
            return Objects.requireNonNullElse(entry.stream(), entry.scope());
        }

        /**
         * Returns the actor who asked, or else what decided a delete: the policy, or the event itself by its own TTL. The
         * change that made the policy decide so is another matter, and stands in the trash.
         */
        private static String by(AuditView entry) {
            if (!entry.actor().isEmpty()) {
                return entry.actor();
            }
            return entry.cause() == null ? Texts.NONE : Texts.rule(entry.scope());
        }
    }

    @Command(name = "show", footer = "  ebb audit show sweep-0-1795255200000-1a2b-0")
    static final class ShowCommand extends ReadCommand<AuditView> {

        ShowCommand() {
            super(AuditView.SHOW, ShowCommand::table);
        }

        private static void table(Terminal terminal, AuditView entry) {
            FieldTable.of(WireJson.tree(entry), "eventIds").print(terminal);
            terminal.out().println();
            FieldTable.list("EVENT", Objects.requireNonNullElse(entry.eventIds(), List.of()))
                    .print(terminal);
        }
    }
}
