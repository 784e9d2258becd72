package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "audit",
        description = "Deletes with their causes, and changes of policies.",
        footer = "  ebb audit list --stream orders/eu-1")
@Subcommands({AuditListCommand.class, AuditShowCommand.class, AuditVerifyCommand.class})
public final class AuditCommand extends CommandGroup {}
