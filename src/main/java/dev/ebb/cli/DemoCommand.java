package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = "to come",
        footerHeading = "%nExample:%n",
        footer = "  ebb demo")
final class DemoCommand extends CommandGroup {}
