package dev.ebb.source;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "source",
        description = "Sources: topics of other applications whose records Ebb takes as events where they already are.",
        footer = "  ebb source test sources.yaml")
@Subcommands(SourceTestCommand.class)
public final class SourceCommand extends CommandGroup {}
