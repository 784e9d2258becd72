package dev.ebb.cli.events;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.NamespaceView;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "list", footer = "  ebb namespace list -o json")
final class NamespaceListCommand extends ReadCommand<NamespaceView.All> {

    NamespaceListCommand() {
        super(NamespaceView.LIST, all -> table(all.namespaces()));
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
