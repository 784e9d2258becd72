package dev.ebb.cli;

import picocli.CommandLine.Command;

@Command(
        name = "namespace",
        mixinStandardHelpOptions = true,
        description = "Namespaces: what they hold, and how long they will.",
        subcommands = {NamespaceListCommand.class, NamespaceDescribeCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb namespace describe orders --show-ttl-stats")
final class NamespaceCommand extends CommandGroup {}
