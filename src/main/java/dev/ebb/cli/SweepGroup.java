package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "sweep",
        mixinStandardHelpOptions = true,
        description = "What sweeps did.",
        subcommands = {SweepListCommand.class, SweepShowCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb sweep list --limit 20")
final class SweepGroup extends CommandGroup {}
