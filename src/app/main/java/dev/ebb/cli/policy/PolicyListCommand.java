package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.tables.WaitingChange;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.policies.PolicyRecordView;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "Lists the policies in force, the widest scope first.",
        footerHeading = "%nExample:%n",
        footer = "  ebb policy list --built-in")
final class PolicyListCommand implements Callable<Integer> {

    @Option(names = "--built-in", description = "Also list the built-in policies, which apply where no policy is set.")
    private boolean builtIn;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        RestApi client = api.connect();
        JsonNode all = client.get(RestPath.of("v1", "policies").withFlag("built-in", builtIn));
        output.print(all, PolicyRecordView.All.class, PolicyTables::list);
        if (output.isTable()) {
            if (Json.as(all, PolicyRecordView.All.class).policies().isEmpty()) {
                output.note("No policy is set; --built-in shows the built-in ones.");
            }
            noteWaiting(client);
        }
        return ExitCode.OK.code();
    }

    /** Notes changes that the brake holds back: a recent change may be missing from the list for that reason. */
    private void noteWaiting(RestApi client) {
        JsonNode all = client.get(RestPath.of("v1", "policies", "waiting"));
        for (WaitingChange change :
                WaitingChange.of(Json.as(all, WaitingPolicyView.All.class).waiting())) {
            output.note(change.name() + " is held back; 'ebb policy confirm --list' shows why.");
        }
    }
}
