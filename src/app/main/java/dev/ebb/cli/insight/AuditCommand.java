package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "audit",
        description = "Deletes with their causes, and changes of policies.",
        subcommands = {AuditListCommand.class, AuditShowCommand.class, AuditVerifyCommand.class},
        footerHeading = "%nExample:%n",
        footer = "  ebb audit list --stream orders/eu-1")
public final class AuditCommand extends CommandGroup {}
