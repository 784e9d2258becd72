package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.CaseParameter;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.wire.policies.HoldView;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "release",
        description = "Releases a hold: policies and commands act again on events that no other hold covers.",
        footer = "  ebb hold release LIT-2026-1 --reason settled --yes")
final class HoldReleaseCommand implements Callable<Integer> {

    @Parameters(paramLabel = "CASE", converter = CaseParameter.class, description = "Name of the case.")
    private PolicyKey hold;

    @Mixin
    private ChangeQuestion change;

    @Mixin
    private OutputOptions output;

    HoldReleaseCommand(CommandEnvironment context) {
        this.change = new ChangeQuestion(context);
        this.output = new OutputOptions(context);
    }

    @Override
    public Integer call() {
        String caseId = String.valueOf(hold.caseId());
        RestApi rest = change.api().connect();
        change.require("this lets go what the hold " + caseId + " keeps", terminal -> ask(terminal, rest, caseId));
        JsonNode changed = rest.delete(change.author().sign(RestPath.of("v1", "holds", caseId)));
        return PolicyTables.answer(output, changed);
    }

    private static String ask(Terminal terminal, RestApi rest, String caseId) {
        JsonNode known = rest.find(RestPath.of("v1", "holds", caseId));
        if (known.isEmpty()) {
            return "The hold " + caseId + " is not in force. Withdraw it?";
        }
        PolicyTables.holds(terminal, new HoldView.All(0, List.of(Json.as(known, HoldView.class))));
        terminal.out()
                .println(CellText.safe(
                        Expected.withoutHold(rest, caseId, known.path("covers").asText())));
        terminal.out()
                .println(
                        "What is due by then goes with the next sweep, unless it is more than the brake lets go; then the"
                                + " release waits, and 'ebb policy confirm --list' shows how much it is.");
        return "Release the hold " + caseId + " over " + known.path("covers").asText() + "?";
    }
}
