package dev.ebb.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.terminal.Columns;
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
        description = "Lists the namespaces with their contents, and the events that expire within warnBefore of"
                + " their policies.",
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
        return output.show(all, NamespaceView.All.class, (terminal, found) -> table(found.namespaces())
                .print(terminal));
    }

    private static Table table(List<NamespaceView> namespaces) {
        Instant now = Instant.now();
        return new Columns<NamespaceView>()
                .left("NAMESPACE", NamespaceView::namespace)
                .count("STREAMS", NamespaceView::streams)
                .count("EVENTS", NamespaceView::events)
                .bytes("BYTES", NamespaceView::bytes)
                .count("PROTECTED", NamespaceView::protectedEvents)
                .count("EXPIRING", namespace -> namespace.expiring().events())
                .bytes("BYTES", namespace -> namespace.expiring().bytes())
                .left(
                        "EARLIEST",
                        namespace -> Texts.distance(namespace.expiring().earliest(), now))
                .table(namespaces);
    }
}
