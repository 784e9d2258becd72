package dev.ebb.undo;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "trash",
        description = "Deleted events that 'ebb undo' can bring back.",
        footer = "  ebb trash list --namespace orders")
@Subcommands(TrashListCommand.class)
public final class TrashCommand extends CommandGroup {}
