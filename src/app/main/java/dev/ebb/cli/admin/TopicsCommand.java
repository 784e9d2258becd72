package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "topics",
        description = "Kafka topics that Ebb works with.",
        subcommands = {TopicsCreateCommand.class, TopicsCheckCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb topics check")
public final class TopicsCommand extends CommandGroup {}
