package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.AuditView;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Shows one audit record, with the ids of the deleted events.",
        footerHeading = "%nExample:%n",
        footer = "  ebb audit show sweep-0-1795255200000-1a2b-0")
final class AuditShowCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ID", description = "Id of the audit record.")
    private String id;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode entry = api.connect().get(RestPath.of("v1", "audit", id));
        return output.show(entry, AuditView.class, AuditShowCommand::table);
    }

    private static void table(Terminal terminal, AuditView entry) {
        FieldTable.of(WireJson.tree(entry), "eventIds").print(terminal);
        terminal.out().println();
        FieldTable.list("EVENT", Objects.requireNonNullElse(entry.eventIds(), List.of()))
                .print(terminal);
    }
}
