package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.tables.WaitingChange;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.policies.PolicyRecordView;
import picocli.CommandLine.Command;

@Command(name = "list", footer = "  ebb policy list --built-in")
final class PolicyListCommand extends ReadCommand<PolicyRecordView.All> {

    PolicyListCommand() {
        super(PolicyRecordView.LIST, PolicyTables::list);
    }

    /** Notes changes that the brake holds back: a recent change may be missing from the list for that reason. */
    @Override
    protected void note(PolicyRecordView.All all, RestApi connected, OutputOptions below) {
        if (all.policies().isEmpty()) {
            below.note("No policy is set; --built-in shows the built-in ones.");
        }
        JsonNode waiting = connected.get(RestPath.of("v1", "policies", "waiting"));
        for (WaitingChange change :
                WaitingChange.of(Json.as(waiting, WaitingPolicyView.All.class).waiting())) {
            below.note(change.name() + " is held back; 'ebb policy confirm --list' shows why.");
        }
    }
}
