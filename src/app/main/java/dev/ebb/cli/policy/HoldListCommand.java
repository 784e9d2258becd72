package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.wire.policies.HoldView;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        description = "Lists the holds in force.",
        footerHeading = "%nExample:%n",
        footer = "  ebb hold list")
final class HoldListCommand implements Callable<Integer> {

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode all = api.connect().get(RestPath.of("v1", "holds"));
        output.print(all, HoldView.All.class, PolicyTables::holds);
        if (output.isTable() && Json.as(all, HoldView.All.class).holds().isEmpty()) {
            output.note("No hold is in force.");
        }
        return ExitCode.OK.code();
    }
}
