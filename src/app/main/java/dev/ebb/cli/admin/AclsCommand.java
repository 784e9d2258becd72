package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "acls",
        description = "Rights that a Kafka cluster with an authorizer must grant.",
        footer = "  ebb acls print --commands")
@Subcommands(AclsPrintCommand.class)
public final class AclsCommand extends CommandGroup {}
