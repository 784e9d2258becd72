package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.CaseParameter;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ScopeParameter;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.Scope;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "place",
        description = "Places a hold: until its release, no event that it covers is deleted or replaced.",
        footer = "  ebb hold place LIT-2026-1 --covers namespace:orders --reason litigation")
final class HoldPlaceCommand implements Callable<Integer> {

    @Parameters(paramLabel = "CASE", converter = CaseParameter.class, description = "Name of the case.")
    private PolicyKey hold;

    @Option(
            names = "--covers",
            required = true,
            paramLabel = "SCOPE",
            converter = ScopeParameter.class,
            completionCandidates = CompletionWords.Scopes.class,
            description = "stream:<name>, namespace:<name> or *.")
    private Scope covers;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Reason, kept with the hold.")
    private String reason;

    @Option(names = "--actor", paramLabel = "NAME", description = "Author. Default: the user of this system.")
    private String actor = System.getProperty("user.name", "");

    @Option(names = "--yes", description = "Place the hold even if it covers no stream now.")
    private boolean yes;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        if (reason.isBlank()) {
            throw CommandFailure.usage("name a reason with --reason; it is kept with the hold");
        }
        ObjectNode body = Json.object();
        body.put("covers", covers.toString());
        body.put("reason", reason);
        body.put("placedBy", actor);
        JsonNode changed = api.connect()
                .put(RestPath.of("v1", "holds", String.valueOf(hold.caseId())).withFlag("anyway", yes), body);
        return PolicyTables.answer(output, changed);
    }
}
