package dev.ebb.cli.policy;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.wire.policies.PolicyRecordView;
import picocli.CommandLine.Command;

@Command(name = "get", footer = "  ebb policy get namespace:orders -o yaml")
final class PolicyGetCommand extends ReadCommand<PolicyRecordView> {

    PolicyGetCommand() {
        super(PolicyRecordView.SHOW, PolicyTables::record);
    }
}
