package dev.ebb.cli.insight;

import dev.ebb.cli.options.CommandGroup;
import picocli.CommandLine.Command;

@Command(
        name = "report",
        description = "Reports on compliance.",
        subcommands = ReportComplianceCommand.class,
        footerHeading = "%nExample:%n",
        footer = "  ebb report compliance --from 2026-01-01T00:00:00Z")
public final class ReportCommand extends CommandGroup {}
