package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "offsets",
        description = "Group offsets: the progress of the application in its input.",
        subcommands = {OffsetsCheckCommand.class, OffsetsRestoreCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb offsets check")
public final class OffsetsCommand extends CommandGroup {}
