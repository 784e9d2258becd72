package dev.ebb.cli.events;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "stream",
        description = "Streams: their contents, the policies in force for them, and the repair of one.",
        subcommands = {StreamListCommand.class, StreamDescribeCommand.class, StreamRepairCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb stream list --namespace orders")
public final class StreamCommand extends CommandGroup {}
