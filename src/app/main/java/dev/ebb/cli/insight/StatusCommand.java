package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.wire.instance.InstancesView;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "status",
        description = "Shows the state of the application: instances, partitions, sweeps, stored events, deletions with"
                + " their causes, the SQL mirror, and instances that do not answer.",
        footer = "  ebb status -o json")
public final class StatusCommand implements Callable<Integer> {

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode status = api.connect().get(RestPath.of("v1", "instances"));
        output.print(
                status, InstancesView.class, (terminal, all) -> new StatusTables(terminal, all, Instant.now()).print());
        return ExitCode.OK.code();
    }
}
