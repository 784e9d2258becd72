package dev.ebb.cli.events;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "namespace",
        description = "Namespaces: their contents, and the events that expire.",
        footer = "  ebb namespace describe orders --show-ttl-stats")
@Subcommands({NamespaceListCommand.class, NamespaceDescribeCommand.class})
public final class NamespaceCommand extends CommandGroup {}
