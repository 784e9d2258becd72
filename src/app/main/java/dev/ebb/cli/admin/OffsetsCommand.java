package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "offsets",
        description = "How far the input has been taken in.",
        subcommands = {OffsetsCheckCommand.class, OffsetsRestoreCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb offsets check")
public final class OffsetsCommand extends CommandGroup {}
