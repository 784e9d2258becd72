package dev.ebb.cli.undo;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.options.StreamParameter;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.history.TrashedView;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = {
            "Lists deletes that can be undone, by command or change of policies and namespace, the last deleted first.",
            "UNTIL is the time from which the first of these events cannot be brought back any more. Final"
                    + " deletes are not listed: those by 'ebb erase', by policies that are no longer new, and by a TTL of the"
                    + " producer, unless a new change let it act."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  ebb trash list", "  ebb trash list --stream orders/eu-1 -o json"})
final class TrashListCommand implements Callable<Integer> {

    @Option(names = "--namespace", paramLabel = "NAME", description = "Namespace of the events. Default: all.")
    private @Nullable String namespace;

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            converter = StreamParameter.class,
            description = "Stream of the events; reads the trash of this stream. Default: all.")
    private @Nullable String stream;

    @Mixin
    private PageOptions page;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        return page.show(api, output, "deletions", this::path, TrashedView.Page.class, TrashListCommand::table);
    }

    private RestPath path() {
        return RestPath.of("v1", "trash").with("namespace", namespace).with("stream", stream);
    }

    private static Table table(TrashedView.Page page) {
        return new Columns<TrashedView>()
                .left("DELETED", deletion -> Texts.second(deletion.lastDeletedAt()))
                .left("BY", TrashListCommand::by)
                .left("CAUSE", TrashedView::cause)
                .left("NAMESPACE", deletion -> Objects.requireNonNullElse(deletion.namespace(), "(others)"))
                .count("EVENTS", TrashedView::events)
                .bytes("BYTES", TrashedView::bytes)
                .count("EXECUTIONS", TrashedView::executions)
                .count("MISSING", TrashedView::missing)
                .left("UNTIL", deletion -> Texts.second(deletion.firstUntil()))
                .table(page.deletions());
    }

    /**
     * Returns the command or the change of a policy that deleted the events, which 'ebb undo' takes with {@code
     * --command} or {@code --policy}.
     */
    private static String by(TrashedView deletion) {
        if (deletion.commandId() != null) {
            return "command " + deletion.commandId();
        }
        return deletion.change() == null ? "several" : "policy " + deletion.change();
    }
}
