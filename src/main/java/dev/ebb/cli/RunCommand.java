package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "to come",
        footerHeading = "%nExample:%n",
        footer = "  ebb run")
final class RunCommand extends CommandGroup {}
