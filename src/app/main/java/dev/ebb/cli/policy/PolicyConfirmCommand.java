package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.port.WaitingPolicyView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "confirm",
        description = {
            "Confirms a change of policies that the brake holds back because it would delete many events at once or soon.",
            "Confirms only the version that waits, and no later one.",
            "To withdraw an unwanted change, set the policy in force again with 'ebb policy set' or 'ebb hold place'"
                    + " or, if none is in force, run 'ebb policy delete'."
        },
        footer = {
            "  ebb policy confirm --list",
            "  ebb policy confirm namespace:orders --reason 'the old orders may go' --yes"
        })
final class PolicyConfirmCommand extends OutputCommand {

    @Parameters(
            arity = "0..1",
            paramLabel = "KEY",
            converter = ParameterReader.OfKey.class,
            completionCandidates = CompletionWords.Scopes.class,
            description = "Scope whose change waits, hold:<case> for the release of a hold, settings or clock.")
    private @Nullable PolicyKey key;

    @Option(names = "--list", description = "Only show the waiting changes.")
    private boolean list;

    @Option(names = "--version-waiting", paramLabel = "N", description = "Fail unless this version waits; see --list.")
    private @Nullable Long version;

    @Option(
            names = "--would-delete",
            paramLabel = "N",
            description =
                    "Fail if it would delete more events than this by now, see --list. Where that says at least so many,"
                            + " all that are stored count.")
    private @Nullable Long wouldDelete;

    /** Number of records that the person saw; null if no person was asked. */
    private @Nullable Integer records;

    @Mixin
    private ChangeQuestion change;

    @Override
    public Integer call() {
        RestApi rest = change.api().connect();
        if (list) {
            JsonNode all = rest.get(RestPath.of("v1", "policies", "waiting"));
            return output.show(
                    all,
                    WaitingPolicyView.All.class,
                    (terminal, found) -> PolicyTables.waiting(terminal, found.waiting()));
        }
        PolicyKey named = key;
        if (named == null) {
            throw CommandFailure.usage("name the scope whose change is confirmed; --list shows the waiting changes");
        }
        change.require("this lets the change through", terminal -> ask(terminal, rest, named.toString()));
        RestPath path = change.author()
                .sign(RestPath.of("v1", "policies", "confirm"))
                .with("key", named.toString())
                .with("version", version == null ? null : version.toString())
                .with("wouldDelete", wouldDelete == null ? null : wouldDelete.toString())
                .with("records", records == null ? null : records.toString());
        return PolicyTables.answer(output, rest.post(path, Json.object()));
    }

    /** Shows the change. A person who agrees has confirmed this version and its number, and no later ones. */
    private String ask(Terminal terminal, RestApi rest, String named) {
        JsonNode all = rest.get(RestPath.of("v1", "policies", "waiting"));
        List<WaitingPolicyView> waiting =
                Json.as(all, WaitingPolicyView.All.class).waiting();
        WaitingPolicyView one = waiting.stream()
                .filter(each -> each.key().equals(named))
                .findFirst()
                .orElseThrow(() ->
                        new CommandFailure(ExitCode.FAILED, "no change of '" + named + "' waits for a confirmation"));
        List<WaitingPolicyView> together =
                waiting.stream().filter(each -> each.change() == one.change()).toList();
        PolicyTables.waiting(terminal, together);
        records = together.size();
        version = version == null ? Long.valueOf(one.version()) : version;
        wouldDelete = wouldDelete == null ? one.wouldDelete() : wouldDelete;
        return "Confirm the change of "
                + (together.size() == 1 ? named : named + " and " + (together.size() - 1) + " more of its file") + "?";
    }
}
