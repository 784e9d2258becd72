package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PolicyKeyParameter;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.port.WaitingPolicyView;
import java.util.concurrent.Callable;
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
            "  ebb policy confirm namespace:orders --reason 'the old orders may go'"
        })
final class PolicyConfirmCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..1",
            paramLabel = "KEY",
            converter = PolicyKeyParameter.class,
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

    @Mixin
    private AuthorOptions author;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        if (list) {
            JsonNode all = api.connect().get(RestPath.of("v1", "policies", "waiting"));
            return output.show(
                    all,
                    WaitingPolicyView.All.class,
                    (terminal, found) -> PolicyTables.waiting(terminal, found.waiting()));
        }
        if (key == null) {
            throw CommandFailure.usage("name the scope whose change is confirmed; --list shows the waiting changes");
        }
        RestPath path = author.sign(RestPath.of("v1", "policies", "confirm"))
                .with("key", key.toString())
                .with("version", version == null ? null : version.toString())
                .with("wouldDelete", wouldDelete == null ? null : wouldDelete.toString());
        JsonNode changed = api.connect().post(path, Json.object());
        return PolicyTables.answer(output, changed);
    }
}
