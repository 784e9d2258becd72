package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ScopeParameter;
import dev.ebb.cli.tables.PolicyTables;
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
        footer = "  ebb policy delete namespace:orders")
final class PolicyDeleteCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "SCOPE",
            converter = ScopeParameter.class,
            completionCandidates = CompletionWords.Scopes.class,
            description = "stream:<name>, namespace:<name>, pattern:<name> or *.")
    private Scope scope;

    @Mixin
    private AuthorOptions author;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode changed = api.connect().delete(author.sign(RestPath.of("v1", "policies", scope.toString())));
        return PolicyTables.answer(output, changed);
    }
}
