package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(name = "topics", description = "Kafka topics that Ebb works with.", footer = "  ebb topics check")
@Subcommands({TopicsCreateCommand.class, TopicsCheckCommand.class})
public final class TopicsCommand extends CommandGroup {}
