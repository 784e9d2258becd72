package dev.ebb.cli.policy;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "policy",
        description = {
            "Policies say how long events are kept.",
            "A policy belongs to a scope: stream:<name>, namespace:<name>, pattern:<name> or *."
                    + " Field by field, the narrowest scope that sets it wins."
        },
        footer = {
            "  ebb policy set namespace:orders --max-age 30d --reason 'GDPR'",
            "  ebb policy apply -f policies.yaml",
            "  ebb policy list"
        })
@Subcommands({
    PolicySetCommand.class,
    PolicyApplyCommand.class,
    PolicyDiffCommand.class,
    PolicyPlanCommand.class,
    PolicyConfirmCommand.class,
    PolicyExportCommand.class,
    PolicyListCommand.class,
    PolicyGetCommand.class,
    PolicyDeleteCommand.class
})
public final class PolicyCommand extends CommandGroup {}
