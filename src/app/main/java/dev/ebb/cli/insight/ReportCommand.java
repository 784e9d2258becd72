package dev.ebb.cli.insight;

import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.history.ComplianceView;
import dev.ebb.wire.history.ComplianceView.ScopeView;
import dev.ebb.wire.history.SweepView.TallyView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
        name = "report",
        description = "Reports on compliance.",
        footer = "  ebb report compliance --from 2026-01-01T00:00:00Z")
@Subcommands(ReportCommand.ComplianceCommand.class)
public final class ReportCommand extends CommandGroup {

    @Command(
            name = "compliance",
            footer = "  ebb report compliance --from 2026-01-01T00:00:00Z --to 2026-03-31T23:59:59Z -o json")
    static final class ComplianceCommand extends ReadCommand<ComplianceView> {

        ComplianceCommand() {
            super(ComplianceView.REPORT, report -> table(report.scopes()));
        }

        @Override
        protected void note(ComplianceView report, RestApi connected, OutputOptions below) {
            if (!report.exact() && report.unanswered().isEmpty()) {
                below.note("Counts are lower bounds: there was too much to read.");
            }
        }

        private static Table table(List<ScopeView> scopes) {
            return new Columns<ScopeView>()
                    .left("SCOPE", ScopeView::scope)
                    .count("STREAMS", ScopeView::streams)
                    .count("EVENTS", ScopeView::events)
                    .left("OLDEST", scope -> Texts.second(scope.oldest()))
                    .right("OVERDUE", scope -> overdue(scope.overdue()))
                    .wrapped("HOLDS", 12, scope -> joined(scope.holds()))
                    .wrapped("DELETED", 18, scope -> deleted(scope.deleted()))
                    .wrapped("RULES", 22, scope -> PolicyTables.rules(scope.policy()))
                    .table(scopes);
        }

        private static Cell overdue(long overdue) {
            return new Cell(Texts.count(overdue), overdue > 0 ? Style.RED : Style.PLAIN);
        }

        private static String joined(List<String> parts) {
            return parts.isEmpty() ? Texts.NONE : String.join(", ", parts);
        }

        private static String deleted(Map<String, TallyView> causes) {
            List<String> sums = new ArrayList<>();
            causes.forEach((cause, tally) -> sums.add(cause + " " + Texts.count(tally.events())));
            return joined(sums);
        }
    }
}
