package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = "to come",
        footerHeading = "%nExample:%n",
        footer = "  ebb topics")
final class TopicsCommand extends CommandGroup {}
