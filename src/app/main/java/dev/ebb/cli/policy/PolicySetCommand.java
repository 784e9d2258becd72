package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.policy.Scope;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "set",
        modelTransformer = PolicyFields.class,
        description = {
            "Sets fields of the policy of a scope.",
            "Fields that are not named stay as they are; with --replace they are inherited from wider scopes. Shows the"
                    + " difference. The policy acts from the next sweep on, on all stored events."
        },
        footer = "  ebb policy set namespace:orders --max-age 30d --max-count 1000 --reason 'ticket 4711'")
final class PolicySetCommand extends ApiCommand {

    @Parameters(
            paramLabel = "SCOPE",
            converter = ParameterReader.OfScope.class,
            completionCandidates = CompletionWords.Scopes.class,
            description = "stream:<name>, namespace:<name>, pattern:<name> or *.")
    private Scope scope;

    @Option(names = "--replace", description = "Replace the whole policy by the named fields.")
    private boolean replace;

    @Spec
    private CommandSpec spec;

    @Mixin
    private AuthorOptions author;

    @Override
    public Integer call() {
        ObjectNode policy = PolicyFields.json(spec);
        if (policy.isEmpty()) {
            throw CommandFailure.usage("the policy would be empty; name a field, for example --max-age 30d");
        }
        RestApi rest = api.connect();
        PolicyEdits edits = PolicyEdits.of(rest.find(RestPath.of("v1", "policies", scope.toString())), policy, replace);
        ObjectNode after = edits.after();
        after.put("updatedBy", author.actor());
        Json.putGiven(after, "reason", author.reason());
        JsonNode changed = rest.put(RestPath.of("v1", "policies", scope.toString()), after);
        int exitCode = PolicyTables.answer(output, changed);
        if (output.isTable()) {
            edits.show(output.terminal(), exitCode == ExitCode.REFUSED.code() ? "WAITS" : "NOW");
            output.terminal().out().flush();
        }
        return exitCode;
    }

    /** A policy before and after an edit, and the difference for people (O-27). Immutable. */
    private record PolicyEdits(ObjectNode before, ObjectNode after) {

        /** Fields that belong to one version of a policy, and not to its rules. */
        private static final Set<String> OF_VERSION = Set.of("scope", "updatedBy", "reason", "confirmed");

        private static final String INHERITED = "inherited";

        /**
         * Returns the edit of a policy in force.
         *
         * @param inForce the answer about the policy; empty if there is none
         * @param given the fields that are named
         * @param replaces true if all other fields go
         */
        static PolicyEdits of(JsonNode inForce, ObjectNode given, boolean replaces) {
            ObjectNode before = Json.object();
            if (!inForce.path("builtIn").asBoolean() && inForce.path("policy") instanceof ObjectNode policy) {
                before.setAll(policy);
                before.remove(OF_VERSION);
            }
            ObjectNode after = replaces ? Json.object() : before.deepCopy();
            after.setAll(given);
            return new PolicyEdits(before, after);
        }

        /** Shows the fields that differ, or says that none does; the values after the edit below that head. */
        void show(Terminal terminal, String head) {
            Set<String> fields = new TreeSet<>();
            before.fieldNames().forEachRemaining(fields::add);
            after.fieldNames().forEachRemaining(fields::add);
            fields.removeAll(OF_VERSION);
            // A number in the policy may be a text in an option.
            fields.removeIf(field -> text(before, field).equals(text(after, field)));
            if (fields.isEmpty()) {
                terminal.out().println("No field differs from the policy before it.");
                return;
            }
            Table table = new Table().left("FIELD").left("BEFORE").left(head);
            fields.forEach(field -> table.row(field, text(before, field), text(after, field)));
            table.print(terminal);
        }

        private static String text(ObjectNode policy, String field) {
            return policy.has(field) ? policy.path(field).asText() : INHERITED;
        }
    }
}
