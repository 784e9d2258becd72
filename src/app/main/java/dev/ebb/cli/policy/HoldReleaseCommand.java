package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.CaseParameter;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.domain.policy.PolicyKey;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "release",
        description = "Releases a hold: policies and commands act again on events that no other hold covers.",
        footer = "  ebb hold release LIT-2026-1 --reason settled")
final class HoldReleaseCommand implements Callable<Integer> {

    @Parameters(paramLabel = "CASE", converter = CaseParameter.class, description = "Name of the case.")
    private PolicyKey hold;

    @Mixin
    private AuthorOptions author;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode changed = api.connect().delete(author.sign(RestPath.of("v1", "holds", String.valueOf(hold.caseId()))));
        return PolicyTables.answer(output, changed);
    }
}
