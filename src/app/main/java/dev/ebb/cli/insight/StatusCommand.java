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
import picocli.CommandLine.Option;

@Command(
        name = "status",
        description = {
            "Shows what is wrong or waits, since when, and which role may act; then the most important figures.",
            "With --verbose also instances, partitions, sweeps, restores, stored events by namespace, and deletions with"
                    + " their causes."
        },
        footer = {"  ebb status", "  ebb status --verbose", "  ebb status -o json"})
public final class StatusCommand implements Callable<Integer> {

    @Option(
            names = {"-v", "--verbose"},
            description = "Show all tables below the figures.")
    private boolean verbose;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode status = api.connect().get(RestPath.of("v1", "instances"));
        output.print(status, InstancesView.class, (terminal, all) -> {
            StatusTables tables = new StatusTables(terminal, all, Instant.now());
            tables.answer();
            if (verbose) {
                tables.details();
            }
        });
        return ExitCode.OK.code();
    }
}
