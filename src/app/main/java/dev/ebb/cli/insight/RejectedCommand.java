package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "rejected",
        description = "Rejected records: their reasons, and a second try.",
        footer = "  ebb rejected list --reason BAD_TTL")
@Subcommands({RejectedListCommand.class, RejectedShowCommand.class, RejectedReplayCommand.class})
public final class RejectedCommand extends CommandGroup {}
