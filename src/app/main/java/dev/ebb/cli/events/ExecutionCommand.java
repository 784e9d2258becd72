package dev.ebb.cli.events;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "execution",
        description = "Executions of a stream: the generations of a long-running instance.",
        subcommands = ExecutionListCommand.class,
        footerHeading = "%nExample:%n",
        footer = "  ebb execution list jobs/nightly")
public final class ExecutionCommand extends CommandGroup {}
