package dev.ebb.cli.remove;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.tables.SweepTables;
import dev.ebb.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Shows what a sweep, or all sweeps of a command, did: added up, and by partition.",
        footerHeading = "%nExample:%n",
        footer = "  ebb sweep show sweep-0-1795255200000-1a2b")
final class SweepShowCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ID", description = "The id of the sweep or command.")
    private String id;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode detail = api.connect().get(RestPath.of("v1", "sweeps", id));
        output.print(detail, terminal -> table(terminal, detail));
        return ExitCode.OK.code();
    }

    private static void table(Terminal terminal, JsonNode detail) {
        JsonNode sweep = detail.path("sweep");
        FieldTable.of(sweep, "deleted", "wouldDelete").print(terminal);
        terminal.out().println();
        boolean isOnlyWarned = sweep.path("mode").asText().equals("warn");
        SweepTables.causes(sweep.path(isOnlyWarned ? "wouldDelete" : "deleted")).print(terminal);
        if (detail.path("byPartition").size() > 1) {
            terminal.out().println();
            SweepTables.list(detail.path("byPartition")).print(terminal);
        }
    }
}
