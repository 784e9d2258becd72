package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ScopeParameter;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.domain.policy.Scope;
import dev.ebb.wire.policies.PolicyRecordView;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "get",
        description = "Shows the policy of a scope, in force or else built in, and the change of this policy that"
                + " the brake holds back.",
        footerHeading = "%nExample:%n",
        footer = "  ebb policy get namespace:orders -o yaml")
final class PolicyGetCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "SCOPE",
            converter = ScopeParameter.class,
            completionCandidates = CompletionWords.Scopes.class,
            description = "stream:<name>, namespace:<name>, pattern:<name> or *.")
    private Scope scope;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode record = api.connect().get(RestPath.of("v1", "policies", scope.toString()));
        return output.show(record, PolicyRecordView.class, PolicyTables::record);
    }
}
