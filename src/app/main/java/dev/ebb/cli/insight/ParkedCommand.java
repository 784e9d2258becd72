package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "parked",
        description =
                "Records that wait to be taken in: lists them with their reasons, drops them, asks the registry again.",
        subcommands = {ParkedListCommand.class, ParkedDropCommand.class, ParkedRetryCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb parked list")
public final class ParkedCommand extends CommandGroup {}
