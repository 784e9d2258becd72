package dev.ebb.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.cli.send.CommandWatch;
import dev.ebb.cli.send.TombstonesAhead;
import dev.ebb.cli.tables.CommandTables;
import dev.ebb.domain.command.Command.SweepNow;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.source.Source;
import dev.ebb.serde.text.PolicyFile;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.instance.InstancesView;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "plan",
        description = {
            "Shows the events that a file of policies and holds would delete at the next sweep, and changes nothing.",
            "Lists the events by namespace with their share of the stored events, and by stream and cause, for the"
                    + " sweep point that it prints. Ends with the changes, their effect and the verdict of the brake.",
            "Exit code 5 if the brake would hold the file back, as 'ebb policy apply' would answer; otherwise 0."
        },
        footer = {
            "  ebb policy plan -f policies.yaml --prune",
            "  ebb policy plan -f policies.yaml -o json > plan.json",
            "  ebb policy apply --plan plan.json"
        })
public final class PolicyPlanCommand extends ApiCommand {

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "YAML or JSON, plain or .gz; - reads standard input.")
    private String file;

    @Option(names = "--prune", description = "Plan as if the policies that are not in the file were removed.")
    private boolean prune;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Time of the planned sweep: ISO-8601, a date, or epoch with its unit. Default: now.")
    private @Nullable String at;

    @Option(
            names = {"-v", "--verbose"},
            description = CommandOptions.VERBOSE)
    private boolean verbose;

    private final CommandEnvironment context;

    PolicyPlanCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String commandId = UUID.randomUUID().toString();
        CommandCall call = CommandCall.of(SweepNow.KIND, body());
        call.path().with("commandId", commandId).withFlag("dryRun", true);
        RestApi rest = api.connectSilently();
        ObjectNode plan =
                new CommandWatch(rest, output.terminal()).send(call, commandId).deepCopy();
        CommandResultView planned = Json.as(plan, CommandResultView.class);
        if (!(planned.outcome() instanceof Outcome.Swept swept)) {
            throw new CommandFailure(ExitCode.FAILED, "the answer is no plan; the application has another version");
        }
        PlanFile.complete(plan, call.body());
        String text = call.body().path("policies").asText();
        PolicyFileComparisonView diff =
                Json.as(rest.postYaml(RestPath.of("v1", "policies", "diff"), text), PolicyFileComparisonView.class);
        Map<String, Source> sources = new TreeMap<>();
        TombstonesAhead.sources(rest).forEach(source -> sources.put(source.name(), source));
        PolicyFile.read(text).sources().forEach(source -> sources.put(source.name(), source));
        PlanVerdict verdict = new PlanVerdict(diff, prune, planned, PlannedTombstones.of(swept, sources.values()));
        output.print(plan, CommandResultView.class, (terminal, result) -> {
            InstancesView all = Json.as(rest.get(RestPath.of("v1", "instances")), InstancesView.class);
            PlanByNamespace byNamespace = new PlanByNamespace(swept, all);
            CommandTables.result(terminal, result, verbose, "", () -> byNamespace.print(terminal));
            verdict.print(terminal, byNamespace.brake());
        });
        boolean isEmpty = prune && PolicyFile.read(text).policies().isEmpty();
        if (isEmpty) {
            output.note("The file has no policies, so it would remove all that are in force: 'ebb policy apply --prune'"
                    + " refuses it. 'ebb policy apply --plan FILE --reason …' applies it by this plan.");
        }
        return verdict.exitCode().code();
    }

    private ObjectNode body() {
        ObjectNode body = Json.object()
                .put("scope", "*")
                .put("policies", InputFile.of(file, context).text())
                .put("prunePolicies", prune);
        Json.putGiven(body, "at", TimeText.of(CommandField.AT, "--at", at));
        return body;
    }
}
