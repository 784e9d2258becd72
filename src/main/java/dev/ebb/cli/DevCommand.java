package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "dev",
        mixinStandardHelpOptions = true,
        description = "to come",
        footerHeading = "%nExample:%n",
        footer = "  ebb dev")
final class DevCommand extends CommandGroup {}
