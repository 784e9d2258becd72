package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "diff",
        description = {
            "Compares a file of policies and holds with those in force, and changes nothing.",
            "Exit code 3 if the two differ."
        },
        footer = "  ebb policy diff -f policies.yaml")
final class PolicyDiffCommand implements Callable<Integer> {

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "YAML or JSON, plain or .gz; - reads standard input.")
    private String file;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    private final CommandEnvironment context;

    PolicyDiffCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String text = InputFile.of(file, context).text();
        JsonNode answer = api.connect().postYaml(RestPath.of("v1", "policies", "diff"), text);
        PolicyFileComparisonView diff = Json.as(answer, PolicyFileComparisonView.class);
        output.print(answer, terminal -> PolicyTables.diff(terminal, diff));
        if (diff.equal() && output.isTable()) {
            output.note("The file agrees with the policies and holds in force.");
        }
        return (diff.equal() ? ExitCode.OK : ExitCode.DIFFERENCES).code();
    }
}
