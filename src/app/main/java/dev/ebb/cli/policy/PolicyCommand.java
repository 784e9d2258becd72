package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.ShellWord;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.tables.WaitingChange;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.policy.Scope;
import dev.ebb.plan.PolicyPlanCommand;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.serde.text.PolicyFile;
import dev.ebb.serde.text.PolicyFileSchema;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyRecordView;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "policy",
        description = {
            "Policies say how long events are kept.",
            "A policy belongs to a scope: stream:<name>, namespace:<name>, pattern:<name> or *."
                    + " Field by field, the narrowest scope that sets it wins."
        },
        footer = {
            "  ebb policy set namespace:orders --max-age 30d --reason 'GDPR'",
            "  ebb policy apply -f policies.yaml",
            "  ebb policy list"
        })
@Subcommands({
    PolicySetCommand.class,
    PolicyApplyCommand.class,
    PolicyValidateCommand.class,
    PolicyCommand.SchemaCommand.class,
    PolicyCommand.DiffCommand.class,
    PolicyPlanCommand.class,
    PolicyConfirmCommand.class,
    PolicyCommand.ExportCommand.class,
    PolicyCommand.ListCommand.class,
    PolicyCommand.GetCommand.class,
    PolicyCommand.DeleteCommand.class
})
public final class PolicyCommand extends CommandGroup {

    @Command(name = "list", footer = "  ebb policy list --built-in")
    static final class ListCommand extends ReadCommand<PolicyRecordView.All> {

        ListCommand() {
            super(PolicyRecordView.LIST, PolicyTables::list);
        }

        /** Notes changes that the brake holds back: a recent change may be missing from the list for that reason. */
        @Override
        protected void note(PolicyRecordView.All all, RestApi connected, OutputOptions below) {
            if (all.policies().isEmpty()) {
                below.note("No policy is set; --built-in shows the built-in ones.");
            }
            JsonNode waiting = connected.get(RestPath.of("v1", "policies", "waiting"));
            for (WaitingChange change : WaitingChange.of(
                    Json.as(waiting, WaitingPolicyView.All.class).waiting())) {
                below.note(change.name() + " is held back; 'ebb policy confirm --list' shows why.");
            }
        }
    }

    @Command(name = "get", footer = "  ebb policy get namespace:orders -o yaml")
    static final class GetCommand extends ReadCommand<PolicyRecordView> {

        GetCommand() {
            super(PolicyRecordView.SHOW, PolicyTables::record);
        }

        /** Names the list of versions: a version is the place of a record that changes of all scopes share. */
        @Override
        protected void note(PolicyRecordView record, RestApi connected, OutputOptions below) {
            if (!record.builtIn()) {
                below.note("'ebb audit list --action CHANGE --policy " + ShellWord.of(record.scope())
                        + "' lists its versions.");
            }
        }
    }

    @Command(
            name = "schema",
            description = {
                "Prints the JSON Schema of a file of policies, holds and sources, by which editors complete and check it.",
                "The same file is published as schemas/policies.schema.json."
            },
            footer = "  ebb policy schema > policies.schema.json")
    static final class SchemaCommand implements Callable<Integer> {

        private final CommandEnvironment context;

        SchemaCommand(CommandEnvironment context) {
            this.context = context;
        }

        @Override
        public Integer call() {
            context.terminal().out().println(Json.pretty(PolicyFileSchema.schema()));
            context.terminal().out().flush();
            return ExitCode.OK.code();
        }
    }

    @Command(
            name = "diff",
            description = {
                "Compares a file of policies and holds with those in force, and changes nothing.",
                "Exit code 3 if the two differ."
            },
            footer = "  ebb policy diff -f policies.yaml")
    static final class DiffCommand extends ApiCommand {

        @Option(
                names = {"-f", "--file"},
                required = true,
                paramLabel = "FILE",
                description = "YAML or JSON, plain or .gz; - reads standard input.")
        private String file;

        private final CommandEnvironment context;

        DiffCommand(CommandEnvironment context) {
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

    @Command(
            name = "export",
            description = {
                "Prints the policies and holds in force as a file that 'ebb policy apply' takes.",
                "The unchanged file changes nothing when applied. Built-in policies are not part of it."
            },
            footer = "  ebb policy export > policies.yaml")
    static final class ExportCommand extends ApiCommand {

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

    @Command(
            name = "delete",
            description = {
                "Removes the policy of a scope; wider scopes and the built-in policies then apply, from the next sweep"
                        + " on.",
                "Also withdraws a change of this policy that the brake holds back; if no policy is in force, it only"
                        + " does that."
            },
            footer = "  ebb policy delete namespace:orders --reason 'ticket 4712' --yes")
    static final class DeleteCommand extends OutputCommand {

        @Parameters(
                paramLabel = "SCOPE",
                converter = ParameterReader.OfScope.class,
                completionCandidates = CompletionWords.Scopes.class,
                description = "stream:<name>, namespace:<name>, pattern:<name> or *.")
        private Scope scope;

        @Mixin
        private ChangeQuestion change;

        @Override
        public Integer call() {
            RestPath path = RestPath.of("v1", "policies", scope.toString());
            RestApi rest = change.api().connect();
            change.require("this removes the policy of " + scope, terminal -> ask(terminal, rest, path));
            return PolicyTables.answer(output, rest.delete(change.author().sign(path)));
        }

        private String ask(Terminal terminal, RestApi rest, RestPath path) {
            JsonNode known = rest.find(path);
            boolean isInForce = !known.path("builtIn").asBoolean() && known.has("policy");
            String rules =
                    isInForce ? PolicyTables.rules(known.path("policy")) : "not in force, only a change of it may wait";
            terminal.out().println(CellText.safe(scope + ": " + rules));
            terminal.out().println("Wider scopes and the built-in policies apply then.");
            if (isInForce) {
                terminal.out().println(CellText.safe(Expected.withoutPolicy(rest, scope.toString())));
            }
            return "Remove the policy of " + scope + "?";
        }
    }
}
