package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import picocli.CommandLine.Command;

@Command(
        name = "report",
        description = "Reports on compliance.",
        footer = "  ebb report compliance --from 2026-01-01T00:00:00Z")
@Subcommands(ReportComplianceCommand.class)
public final class ReportCommand extends CommandGroup {}
