package dev.ebb.cli.admin;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "acls",
        description = "Rights that a Kafka cluster with an authorizer must give.",
        subcommands = AclsPrintCommand.class,
        footerHeading = "%nExample:%n",
        footer = "  ebb acls print --commands")
public final class AclsCommand extends CommandGroup {}
