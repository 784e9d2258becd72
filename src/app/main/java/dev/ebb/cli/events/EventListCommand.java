package dev.ebb.cli.events;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.options.StaleOptions;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.wire.events.EventRow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "list",
        description = "Lists the events of a stream, or the events that fall due in all streams of a namespace, the"
                + " soonest first, or with --where the events of all streams that meet conditions. An event that is"
                + " due by age or its own TTL is not shown any more, even before a sweep deletes it.",
        footer = {
            "  ebb event list orders/eu-1 --status pending --limit 20",
            "  ebb event list orders/eu-1 --expiring-within 24h",
            "  ebb event list --namespace orders --expiring-within 24h",
            "  ebb event list --where metadata.user=42 --all"
        })
final class EventListCommand extends ApiCommand {

    @Parameters(paramLabel = "STREAM", arity = "0..1", description = "The name of the stream.")
    private @Nullable String stream;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "All streams of this namespace instead of one stream; needs --expiring-within or --where.")
    private @Nullable String namespace;

    @Option(
            names = "--where",
            completionCandidates = CompletionWords.Conditions.class,
            paramLabel = "FIELD=TEXT",
            description = "Condition: id, stream, type, status, correlationId, contentType, source or metadata.<key> is"
                    + " exactly this text. Searches all streams, or those of --namespace. All conditions must be met. May be"
                    + " repeated. A key that is empty or has an equals sign stands in quotation marks:"
                    + " 'metadata.\"a=b\"=c'.")
    private List<String> where = List.of();

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "Status of the events; '' for events without a status. Default: all.")
    private @Nullable String status;

    @Option(names = "--include-expired", description = "Also show events that are due and wait for a sweep.")
    private boolean includeExpired;

    @Option(
            names = "--expiring-within",
            completionCandidates = CompletionWords.Ahead.class,
            paramLabel = "DURATION",
            description = "Duration, such as 24h, within which the events fall due by age or own TTL; the soonest first"
                    + " (of one stream: in each execution). Leaves out events that are protected, held,"
                    + " guarded or infinite.")
    private @Nullable String expiringWithin;

    @Mixin
    private PageOptions page;

    @Mixin
    private StaleOptions stale;

    @Override
    public Integer call() {
        requireSense();
        return page.show(
                api,
                output,
                "events",
                () -> stale.addTo(path().with("status", status)
                        .with("expiring-within", expiringWithin)
                        .withFlag("include-expired", includeExpired)),
                EventRow.Page.class,
                (terminal, found) -> table(found.events(), stream == null).print(terminal));
    }

    private RestPath path() {
        if (!where.isEmpty()) {
            RestPath search = RestPath.of("v1", "events").with("namespace", namespace);
            where.forEach(condition -> search.with("where", condition));
            return search;
        }
        return stream != null
                ? RestPath.of("v1", "streams", stream, "events")
                : RestPath.of("v1", "namespaces", String.valueOf(namespace), "events");
    }

    private void requireSense() {
        if (!where.isEmpty()) {
            requireSenseOfSearch();
            return;
        }
        if ((stream == null) == (namespace == null)) {
            throw CommandFailure.usage("name one STREAM, or --namespace and --expiring-within, or --where");
        }
        if (namespace != null && expiringWithin == null) {
            throw CommandFailure.usage("--namespace needs --expiring-within, such as 24h; 'ebb stream list --namespace "
                    + namespace + "' lists its streams");
        }
        if (namespace != null && status != null) {
            throw CommandFailure.usage(
                    "--status is for the events of one STREAM; leave it out, or name a stream instead of"
                            + " --namespace");
        }
    }

    private void requireSenseOfSearch() {
        if (stream != null) {
            throw CommandFailure.usage("--where searches all streams; for the events of one, leave STREAM out and add"
                    + " --where 'stream=" + stream + "'");
        }
        if (expiringWithin != null) {
            throw CommandFailure.usage("--where and --expiring-within cannot be combined");
        }
        if (status != null) {
            throw CommandFailure.usage("with --where, write --where 'status=" + status + "' instead of --status");
        }
        try {
            where.forEach(EventCondition::parse);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(e);
        }
    }

    private static Table table(List<EventRow> events, boolean isOfMany) {
        Instant now = Instant.now();
        Columns<EventRow> columns = new Columns<>();
        if (isOfMany) {
            columns.left("GOES", event -> goes(event, now)).left("STREAM", EventRow::stream);
        }
        columns.left("ID", EventRow::id)
                .left("TYPE", EventRow::type)
                .left("STATUS", EventRow::status)
                .time("OCCURRED", EventRow::occurredAt)
                .time("STORED", EventRow::storedAt)
                .count("BYTES", EventRow::bytes);
        if (!isOfMany) {
            columns.left("GOES", event -> goes(event, now));
        }
        return columns.table(events);
    }

    /** Returns the time at which age or own TTL takes the event, or the reason why they never do. */
    private static Cell goes(EventRow event, Instant now) {
        return switch (event.fate()) {
            case "goes" ->
                event.expired() || event.dueAt() == null
                        ? new Cell("expired", Style.RED)
                        : Cell.of(Texts.distance(event.dueAt(), now));
            case "never" -> new Cell("never by age", Style.DIM);
            case "infinite" -> new Cell("kept for ever", Style.DIM);
            default -> new Cell(event.fate(), Style.YELLOW);
        };
    }
}
