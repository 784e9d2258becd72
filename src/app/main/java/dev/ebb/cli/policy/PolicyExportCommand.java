package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.serde.text.PolicyFile;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "export",
        description = {
            "Prints the policies and holds in force as a file that 'ebb policy apply' takes.",
            "The unchanged file changes nothing when applied. Built-in policies are not part of it."
        },
        footer = "  ebb policy export > policies.yaml")
final class PolicyExportCommand implements Callable<Integer> {

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode file = api.connect().get(RestPath.of("v1", "policies", "export"));
        if (output.isJson() || !(file instanceof ObjectNode policies)) {
            output.print(file, terminal -> {});
        } else {
            output.terminal().out().print(PolicyFile.yaml(policies));
            output.terminal().out().flush();
        }
        return ExitCode.OK.code();
    }
}
