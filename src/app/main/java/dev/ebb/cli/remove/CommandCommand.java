package dev.ebb.cli.remove;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "command",
        description = "Commands that were sent.",
        subcommands = CommandShowCommand.class,
        footerHeading = "%nExample:%n",
        footer = "  ebb command show 6f1c0f5e-8f4b-4a52-9d0e-1f7a3c2b9d11")
public final class CommandCommand extends CommandGroup {}
