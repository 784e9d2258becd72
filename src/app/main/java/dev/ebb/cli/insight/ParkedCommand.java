package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "parked",
        description = "Waiting records: lists them with their reasons, drops them, asks the registry again.",
        footer = "  ebb parked list")
@Subcommands({ParkedListCommand.class, ParkedDropCommand.class, ParkedRetryCommand.class})
public final class ParkedCommand extends CommandGroup {}
