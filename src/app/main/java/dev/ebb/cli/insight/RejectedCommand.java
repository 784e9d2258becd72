package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "rejected",
        description = "Records that could not be used: their reasons, and a second try.",
        subcommands = {RejectedListCommand.class, RejectedShowCommand.class, RejectedReplayCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb rejected list --reason BAD_TTL")
public final class RejectedCommand extends CommandGroup {}
