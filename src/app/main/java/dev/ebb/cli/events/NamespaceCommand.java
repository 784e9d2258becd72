package dev.ebb.cli.events;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "namespace",
        description = "Namespaces: what they hold, and how long they will.",
        subcommands = {NamespaceListCommand.class, NamespaceDescribeCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb namespace describe orders --show-ttl-stats")
public final class NamespaceCommand extends CommandGroup {}
