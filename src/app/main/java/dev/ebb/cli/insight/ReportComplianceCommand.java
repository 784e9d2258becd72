package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "compliance",
        mixinStandardHelpOptions = true,
        description =
                "Shows by scope the policy in force, the oldest event, what is overdue, holds, and what was deleted"
                        + " in a stretch of time. Each stream counts under the narrowest scope that has a policy.",
        footerHeading = "%nExample:%n",
        footer = "  ebb report compliance --from 2026-01-01T00:00:00Z --to 2026-03-31T23:59:59Z -o json")
final class ReportComplianceCommand implements Callable<Integer> {

    @Mixin
    private TimeOptions time;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode report = api.connect().get(time.addTo(RestPath.of("v1", "reports", "compliance")));
        output.print(report, terminal -> table(report.path("scopes")).print(terminal));
        Gaps.note(report, output);
        if (!report.path("exact").asBoolean() && report.path("unanswered").isEmpty() && output.isTable()) {
            output.note("There was too much to look at: there is at least so much.");
        }
        return ExitCode.OK.code();
    }

    private static Table table(JsonNode scopes) {
        Table table = new Table()
                .left("SCOPE")
                .right("STREAMS")
                .right("EVENTS")
                .left("OLDEST")
                .right("OVERDUE")
                .wrapped("HOLDS", 12)
                .wrapped("DELETED", 16)
                .wrapped("RULES", 24);
        for (JsonNode scope : scopes) {
            table.row(
                    scope.path("scope").asText(),
                    Texts.count(scope.path("streams")),
                    Texts.count(scope.path("events")),
                    Texts.second(scope.path("oldest")),
                    overdue(scope.path("overdue")),
                    holds(scope.path("holds")),
                    deleted(scope.path("deleted")),
                    PolicyTables.rules(scope.path("policy")));
        }
        return table;
    }

    private static Cell overdue(JsonNode overdue) {
        return new Cell(Texts.count(overdue), overdue.asLong() > 0 ? Style.RED : Style.PLAIN);
    }

    private static String holds(JsonNode cases) {
        List<String> names = new ArrayList<>();
        cases.forEach(name -> names.add(name.asText()));
        return names.isEmpty() ? Texts.NONE : String.join(", ", names);
    }

    private static String deleted(JsonNode causes) {
        List<String> sums = new ArrayList<>();
        causes.properties()
                .forEach(cause -> sums.add(
                        cause.getKey() + " " + Texts.count(cause.getValue().path("events"))));
        return sums.isEmpty() ? Texts.NONE : String.join(", ", sums);
    }
}
