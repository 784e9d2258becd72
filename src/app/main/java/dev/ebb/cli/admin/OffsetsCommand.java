package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "offsets",
        description = "Group offsets: the progress of the application in its input.",
        footer = "  ebb offsets check")
@Subcommands({OffsetsCheckCommand.class, OffsetsRestoreCommand.class})
public final class OffsetsCommand extends CommandGroup {}
