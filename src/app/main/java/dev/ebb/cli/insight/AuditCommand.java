package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "audit",
        description = "What was deleted, why, and by whose rule.",
        subcommands = {AuditListCommand.class, AuditShowCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb audit list --stream orders/eu-1")
public final class AuditCommand extends CommandGroup {}
