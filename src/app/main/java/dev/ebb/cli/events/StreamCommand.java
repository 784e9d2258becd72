package dev.ebb.cli.events;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "stream",
        description = "Streams: their contents, the policies in force for them, and their repair.",
        footer = "  ebb stream list --namespace orders")
@Subcommands({StreamListCommand.class, StreamDescribeCommand.class, StreamRepairCommand.class})
public final class StreamCommand extends CommandGroup {}
