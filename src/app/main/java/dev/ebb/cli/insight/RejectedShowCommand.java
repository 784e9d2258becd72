package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.FieldTable;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Shows a rejected record with its headers and its bytes in Base64.",
        footerHeading = "%nExample:%n",
        footer = "  ebb rejected show 0-17")
final class RejectedShowCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ID", description = "Id as 'ebb rejected list' shows it.")
    private String id;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode record = api.connect().get(RestPath.of("v1", "rejected", id));
        output.print(record, terminal -> FieldTable.of(record).print(terminal));
        return ExitCode.OK.code();
    }
}
