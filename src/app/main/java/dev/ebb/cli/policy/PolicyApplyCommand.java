package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.CommandContext;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.tables.PolicyTables;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "apply",
        description =
                "Sets all policies and holds of a file, in force all at once. One error keeps all of them from being set.",
        footerHeading = "%nExample:%n",
        footer = {
            "  ebb policy apply -f policies.yaml --prune",
            "",
            "A file of policies:",
            "  policies:",
            "    - scope: \"*\"",
            "      maxAge: 30d",
            "    - scope: namespace:orders",
            "      anchor: completed",
            "      maxCount: 500",
            "  holds:",
            "    - case: LIT-2026-1",
            "      covers: stream:orders/eu-1",
            "      reason: litigation"
        })
final class PolicyApplyCommand implements Callable<Integer> {

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "YAML or JSON, plain or .gz; - reads standard input.")
    private String file;

    @Option(names = "--prune", description = "Remove the policies, never holds, that the file does not have.")
    private boolean prune;

    @Mixin
    private AuthorOptions author;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    private final CommandContext context;

    PolicyApplyCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String text = InputFile.of(file, context).text();
        RestPath path = author.sign(RestPath.of("v1", "policies:apply").withFlag("prune", prune));
        JsonNode changed = api.connect().postYaml(path, text);
        return PolicyTables.answer(output, changed);
    }
}
