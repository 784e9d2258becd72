package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.tables.PolicyTables;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "apply",
        description =
                "Sets all policies and holds of a file; they come into force together. One error rejects the whole"
                        + " file.",
        footerHeading = "%nExample:%n",
        footer = {
            "  ebb policy apply -f policies.yaml --prune",
            "  ebb policy apply --plan plan.json",
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
            paramLabel = "FILE",
            description = "YAML or JSON, plain or .gz; - reads standard input.")
    private @Nullable String file;

    @Option(names = "--prune", description = "Remove the policies, but never holds, that are not in the file.")
    private boolean prune;

    @Option(
            names = "--plan",
            paramLabel = "FILE|ID",
            description = {
                "Plan made by 'ebb policy plan': its file (-o json) or, with --file, its id. Apply the policies only"
                        + " if they delete no event that is not in the plan."
            })
    private @Nullable String plan;

    @Option(names = "--yes", description = "Place holds even if they cover no stream now.")
    private boolean yes;

    @Mixin
    private AuthorOptions author;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    private final CommandEnvironment context;

    PolicyApplyCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (file == null) {
            return applyPlan();
        }
        return apply(api.connect(), InputFile.of(file, context).text(), prune, plan);
    }

    /** Applies the policies in the file of a plan. */
    private int applyPlan() {
        if (plan == null) {
            throw CommandFailure.usage("name the policies with --file, or the file of a plan with --plan");
        }
        PlanFile planned = PlanFile.parse(plan, InputFile.of(plan, context).text());
        if (prune && !planned.prunes()) {
            throw CommandFailure.usage("the plan removes no policies; plan it with --prune");
        }
        RestApi rest = api.connect();
        planned.requireUnedited(rest);
        return apply(rest, planned.policies(), planned.prunes(), planned.planId());
    }

    private int apply(RestApi rest, String text, boolean isPruned, @Nullable String planId) {
        RestPath path = RestPath.of("v1", "policies:apply")
                .withFlag("prune", isPruned)
                .withFlag("anyway", yes)
                .with("plan", planId);
        JsonNode changed = rest.postYaml(author.sign(path), text);
        return PolicyTables.answer(output, changed);
    }
}
