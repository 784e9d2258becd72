package dev.ebb.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.policy.Scope;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "place",
        mixinStandardHelpOptions = true,
        description = "Places a hold: nothing that it covers is deleted or replaced until it is released.",
        footerHeading = "%nExample:%n",
        footer = "  ebb hold place LIT-2026-1 --covers namespace:orders --reason litigation")
final class HoldPlaceCommand implements Callable<Integer> {

    @Parameters(paramLabel = "CASE", description = "The name of the matter.")
    private String caseId;

    @Option(
            names = "--covers",
            required = true,
            paramLabel = "SCOPE",
            converter = ScopeParameter.class,
            description = "stream:<name>, namespace:<name> or *.")
    private Scope covers;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; kept with the hold.")
    private String reason;

    @Option(names = "--actor", paramLabel = "NAME", description = "Who. Default: the user of this system.")
    private String actor = System.getProperty("user.name", "");

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        ObjectNode hold = Json.object();
        hold.put("covers", covers.toString());
        hold.put("reason", reason);
        hold.put("placedBy", actor);
        JsonNode changed = api.connect().put(RestPath.of("v1", "holds", caseId), hold);
        output.print(changed, terminal -> PolicyTables.changed(terminal, changed));
        return ExitCode.OK.code();
    }
}
