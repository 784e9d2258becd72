package dev.ebb.cli.events;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.options.StaleOptions;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.wire.events.StreamView;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "Lists the streams by name, with the size of their contents.",
        footerHeading = "%nExample:%n",
        footer = "  ebb stream list --namespace orders --limit 20")
final class StreamListCommand implements Callable<Integer> {

    @Option(names = "--namespace", paramLabel = "NAME", description = "Namespace of the streams. Default: all.")
    private @Nullable String namespace;

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Prefix of the names. Default: all names.")
    private @Nullable String prefix;

    @Mixin
    private PageOptions page;

    @Mixin
    private StaleOptions stale;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        return page.show(
                api,
                output,
                "streams",
                () -> stale.addTo(RestPath.of("v1", "streams")
                        .with("namespace", namespace)
                        .with("prefix", prefix)),
                StreamView.Page.class,
                (terminal, found) -> table(found).print(terminal));
    }

    private static Table table(StreamView.Page page) {
        return new Columns<StreamView>()
                .left("STREAM", StreamView::stream)
                .count("EVENTS", StreamView::events)
                .bytes("BYTES", StreamView::bytes)
                .count("PROTECTED", StreamView::protectedEvents)
                .count("OWN TTL", StreamView::timedEvents)
                .time("OLDEST", StreamView::oldest)
                .time("NEWEST", StreamView::newest)
                .table(page.streams());
    }
}
