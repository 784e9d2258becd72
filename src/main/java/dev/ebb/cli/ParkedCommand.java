package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "parked",
        mixinStandardHelpOptions = true,
        description = "Records that cannot be taken in yet: what they wait for, and what can be done about it.",
        subcommands = {ParkedListCommand.class, ParkedDropCommand.class, ParkedRetryCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb parked list")
final class ParkedCommand extends CommandGroup {}
