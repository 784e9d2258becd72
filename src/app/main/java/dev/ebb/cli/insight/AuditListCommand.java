package dev.ebb.cli.insight;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.wire.history.AuditView;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "Lists deletes and changes of policies, newest first.",
        footerHeading = "%nExample:%n",
        footer = "  ebb audit list --namespace orders --cause MAX_AGE --from 2026-11-01T00:00:00Z")
final class AuditListCommand implements Callable<Integer> {

    @Option(names = "--stream", paramLabel = "STREAM", description = "Stream of the deletes. Default: all.")
    private @Nullable String stream;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Namespace of the deletes. Default: all.")
    private @Nullable String namespace;

    @Option(
            names = "--cause",
            completionCandidates = CompletionWords.Causes.class,
            paramLabel = "CAUSE",
            description = "Cause, for example MAX_AGE or PURGE. Default: all.")
    private @Nullable String cause;

    @Option(names = "--actor", paramLabel = "NAME", description = "Author of the change or command. Default: all.")
    private @Nullable String actor;

    @Option(
            names = "--sweep",
            paramLabel = "ID",
            description = "Sweep or command that deleted the events. Default:" + " all.")
    private @Nullable String sweep;

    @Option(
            names = "--event",
            paramLabel = "ID",
            description = "Event that was deleted, brought back or repaired. Default: all.")
    private @Nullable String event;

    @Option(
            names = "--policy",
            paramLabel = "SCOPE[@VERSION]",
            description =
                    "Scope of a policy: the changes of this policy and the deletes that it caused. Default:" + " all.")
    private @Nullable String policy;

    @Option(
            names = "--action",
            paramLabel = "ACTION",
            description = "Action, for example DELETE, or CHANGE for all changes of policies and holds. Default: all.")
    private @Nullable String action;

    @Mixin
    private TimeOptions time;

    @Mixin
    private PageOptions page;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        return page.show(
                api,
                output,
                "audit",
                () -> time.addTo(RestPath.of("v1", "audit")
                        .with("stream", stream)
                        .with("namespace", namespace)
                        .with("cause", cause)
                        .with("actor", actor)
                        .with("sweep", sweep)
                        .with("event", event)
                        .with("policy", policy)
                        .with("action", action)),
                AuditView.Page.class,
                AuditListCommand::table);
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
