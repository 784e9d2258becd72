package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(name = "config", description = "Settings that are in force, and their sources.", footer = "  ebb config show")
@Subcommands(ConfigShowCommand.class)
public final class ConfigCommand extends CommandGroup {}
