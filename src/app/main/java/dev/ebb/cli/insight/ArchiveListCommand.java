package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        mixinStandardHelpOptions = true,
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
        return page.show(api, output, "archived", filter::path, ArchiveListCommand::table);
    }

    private static void table(Terminal terminal, JsonNode archived) {
        Table table = new Table()
                .left("RECORD")
                .left("DELETED")
                .left("CAUSE")
                .left("STREAM")
                .left("ID")
                .left("TYPE")
                .right("BYTES")
                .left("BY");
        for (JsonNode event : archived.path("archived")) {
            table.row(
                    event.path("record").asText(),
                    Texts.second(event.path("deletedAt")),
                    event.path("cause").asText(),
                    event.path("stream").asText(),
                    event.path("id").asText(),
                    event.path("type").asText(),
                    Texts.count(event.path("bytes")),
                    by(event));
        }
        table.print(terminal);
    }

    /** The policy that said so, or else the command. */
    private static String by(JsonNode event) {
        String scope = event.path("scope").asText("");
        return scope.isEmpty() ? "command " + event.path("commandId").asText(Texts.NONE) : scope;
    }
}
