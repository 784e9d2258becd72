package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.NamespaceView;
import java.time.Instant;
import java.util.List;
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
        output.print(all, NamespaceView.All.class, (terminal, found) -> table(found.namespaces())
                .print(terminal));
        Gaps.note(all, output);
        return ExitCode.OK.code();
    }

    private static Table table(List<NamespaceView> namespaces) {
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
        for (NamespaceView namespace : namespaces) {
            table.row(
                    namespace.namespace(),
                    Texts.count(namespace.streams()),
                    Texts.count(namespace.events()),
                    Texts.bytes(namespace.bytes()),
                    Texts.count(namespace.protectedEvents()),
                    Texts.count(namespace.expiring().events()),
                    Texts.bytes(namespace.expiring().bytes()),
                    Texts.distance(namespace.expiring().earliest(), now));
        }
        return table;
    }
}
