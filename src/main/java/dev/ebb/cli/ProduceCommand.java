package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "produce",
        mixinStandardHelpOptions = true,
        description = "to come",
        footerHeading = "%nExample:%n",
        footer = "  ebb produce")
final class ProduceCommand extends CommandGroup {}
