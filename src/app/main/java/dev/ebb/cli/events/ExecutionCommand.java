package dev.ebb.cli.events;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "execution",
        description = "Executions of a stream: the generations of a long-running instance.",
        footer = "  ebb execution list jobs/nightly")
@Subcommands(ExecutionListCommand.class)
public final class ExecutionCommand extends CommandGroup {}
