package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = "The Kafka topics that Ebb works with.",
        subcommands = {TopicsCreateCommand.class, TopicsCheckCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb topics check")
final class TopicsCommand extends CommandGroup {}
