package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "describe",
        description = "Shows what a namespace holds and what its policies warn of: what expires within warnBefore.",
        footerHeading = "%nExample:%n",
        footer = "  ebb namespace describe orders --show-ttl-stats")
final class NamespaceDescribeCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAMESPACE", description = "The name of the namespace.")
    private String namespace;

    @Option(
            names = "--show-ttl-stats",
            description = "Also how many events have an own TTL, what has expired and what will.")
    private boolean showTtlStats;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode held =
                api.connect().get(RestPath.of("v1", "namespaces", namespace).withFlag("ttl-stats", showTtlStats));
        output.print(held, terminal -> table(terminal, held));
        Gaps.note(held, output);
        return ExitCode.OK.code();
    }

    private static void table(Terminal terminal, JsonNode held) {
        Table table = new Table().left("").left("");
        table.row(label("namespace"), held.path("namespace").asText());
        table.row(label("streams"), Texts.count(held.path("streams")));
        table.row(label("events"), Texts.count(held.path("events")));
        table.row(label("bytes"), Texts.bytes(held.path("bytes")));
        table.row(label("protected"), Texts.count(held.path("protectedEvents")));
        JsonNode expiring = held.path("expiring");
        table.row(label("expiring within warnBefore"), due(expiring, "events", "bytes"));
        table.row(label("the first of them"), NamespaceListCommand.earliest(expiring, Instant.now()));
        if (held.has("ttl")) {
            ttl(table, held.path("ttl"));
        }
        table.print(terminal);
    }

    private static void ttl(Table table, JsonNode ttl) {
        String atLeast = ttl.path("exact").asBoolean() ? "" : "at least ";
        table.row(label("own TTL"), Texts.count(ttl.path("ownTtl")));
        table.row(label("without TTL"), Texts.count(ttl.path("withoutTtl")));
        table.row(label("kept for ever"), Texts.count(ttl.path("infinite")));
        table.row(label("expired in the last hour"), expired(ttl));
        table.row(label("due in the next hour"), atLeast + due(ttl, "dueNextHour", "bytesDueNextHour"));
        table.row(label("due in the next day"), atLeast + due(ttl, "dueNextDay", "bytesDueNextDay"));
        table.row(label("counted"), Texts.time(ttl.path("countedAt")));
    }

    private static String expired(JsonNode ttl) {
        String events = Texts.count(ttl.path("expiredLastHour")) + " until " + Texts.time(ttl.path("expiredCountedAt"));
        return ttl.path("expiredExact").asBoolean()
                ? events
                : "at least " + events + "; the audit could not be read to its end";
    }

    private static String due(JsonNode ttl, String events, String bytes) {
        return Texts.counted(ttl.path(events), "event") + ", " + Texts.bytes(ttl.path(bytes));
    }

    private static Cell label(String text) {
        return new Cell(text, Style.DIM);
    }
}
