package dev.ebb.archive;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "archive",
        description = "Deleted events that a policy with archive: true kept.",
        footer = {"  ebb archive list --namespace orders --from 2026-11-01"})
@Subcommands(ArchiveListCommand.class)
public final class ArchiveCommand extends CommandGroup {}
