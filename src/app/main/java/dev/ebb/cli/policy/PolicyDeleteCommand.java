package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ScopeParameter;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.policy.Scope;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        description = {
            "Removes the policy of a scope; wider scopes and the built-in policies then apply, from the next sweep"
                    + " on.",
            "Also withdraws a change of this policy that the brake holds back; if no policy is in force, it only"
                    + " does that."
        },
        footer = "  ebb policy delete namespace:orders --reason 'ticket 4712' --yes")
final class PolicyDeleteCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "SCOPE",
            converter = ScopeParameter.class,
            completionCandidates = CompletionWords.Scopes.class,
            description = "stream:<name>, namespace:<name>, pattern:<name> or *.")
    private Scope scope;

    @Mixin
    private ChangeQuestion change;

    @Mixin
    private OutputOptions output;

    PolicyDeleteCommand(CommandEnvironment context) {
        this.change = new ChangeQuestion(context);
        this.output = new OutputOptions(context);
    }

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
