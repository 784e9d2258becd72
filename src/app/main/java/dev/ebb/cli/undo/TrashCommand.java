package dev.ebb.cli.undo;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "trash",
        description = "Deleted events that 'ebb undo' can bring back.",
        subcommands = TrashListCommand.class,
        footerHeading = "%nExample:%n",
        footer = "  ebb trash list --namespace orders")
public final class TrashCommand extends CommandGroup {}
