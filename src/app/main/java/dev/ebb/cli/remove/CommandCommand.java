package dev.ebb.cli.remove;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "command",
        description = "Commands that were sent.",
        footer = "  ebb command show 6f1c0f5e-8f4b-4a52-9d0e-1f7a3c2b9d11")
@Subcommands(CommandShowCommand.class)
public final class CommandCommand extends CommandGroup {}
