package dev.ebb.hold;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.policy.ChangeQuestion;
import dev.ebb.cli.policy.Expected;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.Scope;
import dev.ebb.wire.policies.HoldView;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "hold",
        description = {
            "Holds keep the events that they cover until they are released, against all policies and commands.",
            "Several holds may cover one event."
        },
        footer = {
            "  ebb hold place LIT-2026-1 --covers namespace:orders --reason litigation",
            "  ebb hold release LIT-2026-1 --reason settled"
        })
@Subcommands({HoldCommand.PlaceCommand.class, HoldCommand.ReleaseCommand.class, HoldCommand.ListCommand.class})
public final class HoldCommand extends CommandGroup {

    @Command(
            name = "place",
            description = "Places a hold: until its release, no event that it covers is deleted or replaced.",
            footer = "  ebb hold place LIT-2026-1 --covers namespace:orders --reason litigation")
    static final class PlaceCommand extends ApiCommand {

        @Parameters(paramLabel = "CASE", converter = ParameterReader.OfCase.class, description = "Name of the case.")
        private PolicyKey hold;

        @Option(
                names = "--covers",
                required = true,
                paramLabel = "SCOPE",
                converter = ParameterReader.OfScope.class,
                completionCandidates = CompletionWords.Scopes.class,
                description = "stream:<name>, namespace:<name> or *.")
        private Scope covers;

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Reason, kept with the hold.")
        private String reason;

        @Option(names = "--actor", paramLabel = "NAME", description = "Author. Default: the user of this system.")
        private String actor = System.getProperty("user.name", "");

        @Option(names = "--yes", description = "Place the hold even if it covers no stream now.")
        private boolean yes;

        @Override
        public Integer call() {
            if (reason.isBlank()) {
                throw CommandFailure.usage("name a reason with --reason; it is kept with the hold");
            }
            ObjectNode body = Json.object();
            body.put("covers", covers.toString());
            body.put("reason", reason);
            body.put("placedBy", actor);
            JsonNode changed = api.connect()
                    .put(
                            RestPath.of("v1", "holds", String.valueOf(hold.caseId()))
                                    .withFlag("anyway", yes),
                            body);
            return PolicyTables.answer(output, changed);
        }
    }

    @Command(
            name = "release",
            description = "Releases a hold: policies and commands act again on events that no other hold covers.",
            footer = "  ebb hold release LIT-2026-1 --reason settled --yes")
    static final class ReleaseCommand extends OutputCommand {

        @Parameters(paramLabel = "CASE", converter = ParameterReader.OfCase.class, description = "Name of the case.")
        private PolicyKey hold;

        @Mixin
        private ChangeQuestion change;

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
            String covers = known.path("covers").asText();
            terminal.out().println(CellText.safe(Expected.withoutHold(rest, caseId, covers)));
            terminal.out()
                    .println(
                            "What is due by then goes with the next sweep, unless it is more than the brake lets go; then the"
                                    + " release waits, and 'ebb policy confirm --list' shows how much it is.");
            return "Release the hold " + caseId + " over " + covers + "?";
        }
    }

    @Command(name = "list", footer = "  ebb hold list")
    static final class ListCommand extends ReadCommand<HoldView.All> {

        ListCommand() {
            super(HoldView.LIST, PolicyTables::holds);
        }

        @Override
        protected void note(HoldView.All all, RestApi connected, OutputOptions below) {
            if (all.holds().isEmpty()) {
                below.note("No hold is in force.");
            }
        }
    }
}
