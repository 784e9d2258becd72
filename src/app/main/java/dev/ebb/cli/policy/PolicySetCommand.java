package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.domain.policy.Scope;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "set",
        modelTransformer = PolicyFields.class,
        description = {
            "Sets fields of the policy of a scope.",
            "Fields that are not named stay as they are; with --replace they are inherited from wider scopes. Shows the"
                    + " difference. The policy acts from the next sweep on, on all stored events."
        },
        footer = "  ebb policy set namespace:orders --max-age 30d --max-count 1000 --reason 'ticket 4711'")
final class PolicySetCommand extends ApiCommand {

    @Parameters(
            paramLabel = "SCOPE",
            converter = ParameterReader.OfScope.class,
            completionCandidates = CompletionWords.Scopes.class,
            description = "stream:<name>, namespace:<name>, pattern:<name> or *.")
    private Scope scope;

    @Option(names = "--replace", description = "Replace the whole policy by the named fields.")
    private boolean replace;

    @Spec
    private CommandSpec spec;

    @Mixin
    private AuthorOptions author;

    @Override
    public Integer call() {
        ObjectNode policy = PolicyFields.json(spec);
        if (policy.isEmpty()) {
            throw CommandFailure.usage("the policy would be empty; name a field, for example --max-age 30d");
        }
        RestApi rest = api.connect();
        PolicyEdits edits = PolicyEdits.of(rest.find(RestPath.of("v1", "policies", scope.toString())), policy, replace);
        ObjectNode after = edits.after();
        after.put("updatedBy", author.actor());
        Json.putGiven(after, "reason", author.reason());
        JsonNode changed = rest.put(RestPath.of("v1", "policies", scope.toString()), after);
        if (output.isTable()) {
            edits.show(output.terminal());
        }
        return PolicyTables.answer(output, changed);
    }
}
