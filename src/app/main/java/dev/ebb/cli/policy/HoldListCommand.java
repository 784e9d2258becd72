package dev.ebb.cli.policy;

import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.wire.policies.HoldView;
import picocli.CommandLine.Command;

@Command(name = "list", footer = "  ebb hold list")
final class HoldListCommand extends ReadCommand<HoldView.All> {

    HoldListCommand() {
        super(HoldView.LIST, PolicyTables::holds);
    }

    @Override
    protected void note(HoldView.All all, RestApi connected, OutputOptions below) {
        if (all.holds().isEmpty()) {
            below.note("No hold is in force.");
        }
    }
}
