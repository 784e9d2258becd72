package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        description = "Lists the namespaces with what they hold and what their policies warn of: what expires within"
                + " warnBefore.",
        footerHeading = "%nExample:%n",
        footer = "  ebb namespace list -o json")
final class NamespaceListCommand implements Callable<Integer> {

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode all = api.connect().get(RestPath.of("v1", "namespaces"));
        output.print(all, terminal -> table(all.path("namespaces")).print(terminal));
        Gaps.note(all, output);
        return ExitCode.OK.code();
    }

    private static Table table(JsonNode namespaces) {
        Table table = new Table()
                .left("NAMESPACE")
                .right("STREAMS")
                .right("EVENTS")
                .right("BYTES")
                .right("PROTECTED")
                .right("EXPIRING")
                .right("BYTES")
                .left("EARLIEST");
        Instant now = Instant.now();
        for (JsonNode namespace : namespaces) {
            JsonNode expiring = namespace.path("expiring");
            table.row(
                    namespace.path("namespace").asText(),
                    Texts.count(namespace.path("streams")),
                    Texts.count(namespace.path("events")),
                    Texts.bytes(namespace.path("bytes")),
                    Texts.count(namespace.path("protectedEvents")),
                    Texts.count(expiring.path("events")),
                    Texts.bytes(expiring.path("bytes")),
                    earliest(expiring, now));
        }
        return table;
    }

    /** When the first of the events goes that are warned of. */
    static String earliest(JsonNode expiring, Instant now) {
        JsonNode earliest = expiring.path("earliest");
        return earliest.isTextual() ? Texts.distance(earliest, now) : Texts.NONE;
    }
}
