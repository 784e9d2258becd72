package dev.ebb.cli.insight;

import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.history.ArchiveView;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        description =
                "Lists deleted events that were archived, the last deleted first. --from and --to are times of their"
                        + " deletion.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  ebb archive list --stream orders/eu-1",
            "  ebb archive list --namespace orders --cause MAX_AGE --from 2026-11-01 --limit 20"
        })
final class ArchiveListCommand implements Callable<Integer> {

    @Mixin
    private ArchiveFilterOptions filter;

    @Mixin
    private PageOptions page;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        return page.show(api, output, "archived", filter::path, ArchiveView.Page.class, ArchiveListCommand::table);
    }

    private static void table(Terminal terminal, ArchiveView.Page page) {
        Table table = new Table()
                .left("RECORD")
                .left("DELETED")
                .left("CAUSE")
                .left("STREAM")
                .left("ID")
                .left("TYPE")
                .right("BYTES")
                .left("BY");
        for (ArchiveView event : page.archived()) {
            table.row(
                    event.record(),
                    Texts.second(event.deletedAt()),
                    event.cause(),
                    event.stream(),
                    event.id(),
                    event.type(),
                    Texts.count(event.bytes()),
                    by(event));
        }
        table.print(terminal);
    }

    /** The policy that said so, or else the command. */
    private static String by(ArchiveView event) {
        return event.scope().isEmpty()
                ? "command " + Objects.requireNonNullElse(event.commandId(), Texts.NONE)
                : event.scope();
    }
}
