package dev.ebb.cli.policy;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "hold",
        description = {
            "Holds keep the events that they cover until they are released, against all policies and commands.",
            "Several holds may cover one event."
        },
        footer = {
            "  ebb hold place LIT-2026-1 --covers namespace:orders --reason litigation",
            "  ebb hold release LIT-2026-1 --reason settled"
        })
@Subcommands({HoldPlaceCommand.class, HoldReleaseCommand.class, HoldListCommand.class})
public final class HoldCommand extends CommandGroup {}
