package dev.ebb.cli.insight;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.wire.history.AuditView;
import java.util.Objects;
import picocli.CommandLine.Command;

@Command(name = "list", footer = "  ebb audit list --namespace orders --cause MAX_AGE --from 2026-11-01T00:00:00Z")
final class AuditListCommand extends ReadCommand<AuditView.Page> {

    AuditListCommand() {
        super(AuditView.LIST, AuditListCommand::table);
    }

    private static Table table(AuditView.Page page) {
        return new Columns<AuditView>()
                .time("AT", AuditView::at)
                .left("ACTION", AuditView::action)
                .left("CAUSE", AuditView::cause)
                .left("STREAM OR POLICY", AuditListCommand::subject)
                .count("EVENTS", AuditView::events)
                .bytes("BYTES", AuditView::bytes)
                .left("BY", AuditListCommand::by)
                .left("ID", AuditView::auditId)
                .table(page.audit());
    }

    /** Returns the stream from which events were deleted, or the scope whose policy or hold changed. */
    private static String subject(AuditView entry) {
        return Objects.requireNonNullElse(entry.stream(), entry.scope());
    }

    /** Returns the actor who asked, or else the scope of the policy. */
    private static String by(AuditView entry) {
        return entry.actor().isEmpty() ? entry.scope() : entry.actor();
    }
}
