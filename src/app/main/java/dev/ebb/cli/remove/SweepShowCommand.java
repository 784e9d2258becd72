package dev.ebb.cli.remove;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.tables.SweepTables;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.SweepView;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Shows the deletes of a sweep, or of all sweeps of a command: added up, and by partition.",
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
        return output.show(detail, SweepView.Detail.class, SweepShowCommand::table);
    }

    private static void table(Terminal terminal, SweepView.Detail detail) {
        SweepView sweep = detail.sweep();
        FieldTable.of(WireJson.tree(sweep), "deleted", "wouldDelete").print(terminal);
        terminal.out().println();
        boolean isOnlyWarned = sweep.mode().equals("warn");
        SweepTables.causes(isOnlyWarned ? sweep.wouldDelete() : sweep.deleted()).print(terminal);
        if (detail.byPartition().size() > 1) {
            terminal.out().println();
            SweepTables.list(detail.byPartition()).print(terminal);
        }
    }
}
