package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.plan.PlanFile;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyFileComparisonView.Difference;
import dev.ebb.wire.policies.PolicyFileComparisonView.Kind;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "apply",
        description =
                "Sets all policies and holds of a file; they come into force together. One error rejects the whole"
                        + " file. With --yes, holds are placed even if they cover no stream now.",
        footerHeading = "%nExample:%n",
        footer = {
            "  ebb policy apply -f policies.yaml --prune --reason 'ticket 4711' --yes",
            "  ebb policy apply --plan plan.json --reason 'ticket 4711' --yes",
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
final class PolicyApplyCommand extends OutputCommand {

    private static final int MOST_NAMED = 5;

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

    @Mixin
    private ChangeQuestion change;

    private final CommandEnvironment context;

    PolicyApplyCommand(CommandEnvironment context) {
        this.context = context;
        this.change = new ChangeQuestion(context);
    }

    @Override
    public Integer call() {
        if (file == null) {
            return applyPlan();
        }
        RestApi rest = change.api().connect();
        String text = InputFile.of(file, context).text();
        if (prune) {
            askForRemovals(rest, text);
        }
        return apply(rest, text, prune, plan);
    }

    /** Asks where policies would be removed: a template that was filled with nothing must not end them all. */
    private void askForRemovals(RestApi rest, String text) {
        PolicyFileComparisonView diff =
                Json.as(rest.postYaml(RestPath.of("v1", "policies", "diff"), text), PolicyFileComparisonView.class);
        List<String> removed = diff.differences().stream()
                .filter(one -> one.kind() == Kind.MISSING && !one.key().startsWith("hold:"))
                .map(Difference::key)
                .toList();
        if (!removed.isEmpty()) {
            String all = removed.size() == 1 ? "1 policy" : Texts.count(removed.size()) + " policies";
            change.require("this removes " + all + " that the file does not have: " + some(removed), terminal -> {
                PolicyTables.diff(terminal, diff);
                terminal.out().println(CellText.safe(Expected.withFile(rest, text)));
                return "Apply the file, and remove " + all + "?";
            });
        }
    }

    private static String some(List<String> keys) {
        String named = keys.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        return keys.size() <= MOST_NAMED ? named : named + " and " + (keys.size() - MOST_NAMED) + " more";
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
        RestApi rest = change.api().connect();
        planned.requireUnedited(rest);
        if (planned.prunes()) {
            askForRemovals(rest, planned.policies());
        }
        return apply(rest, planned.policies(), planned.prunes(), planned.planId());
    }

    private int apply(RestApi rest, String text, boolean isPruned, @Nullable String planId) {
        RestPath path = RestPath.of("v1", "policies:apply")
                .withFlag("prune", isPruned)
                .withFlag("anyway", change.isAnswered())
                .with("plan", planId);
        JsonNode changed = rest.postYaml(change.author().sign(path), text);
        return PolicyTables.answer(output, changed);
    }
}
