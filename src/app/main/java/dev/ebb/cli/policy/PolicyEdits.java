package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import java.util.Set;
import java.util.TreeSet;

/** A policy before and after an edit, and the difference for people (O-27). Immutable. */
record PolicyEdits(ObjectNode before, ObjectNode after) {

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

    /** Shows the fields that differ; nothing for a policy that is new. */
    void show(Terminal terminal) {
        Set<String> fields = new TreeSet<>();
        before.fieldNames().forEachRemaining(fields::add);
        after.fieldNames().forEachRemaining(fields::add);
        fields.removeAll(OF_VERSION);
        fields.removeIf(field -> before.path(field).equals(after.path(field)));
        if (before.isEmpty() || fields.isEmpty()) {
            return;
        }
        Table table = new Table().left("FIELD").left("BEFORE").left("NOW");
        fields.forEach(field -> table.row(field, text(before, field), text(after, field)));
        table.print(terminal);
    }

    private static String text(ObjectNode policy, String field) {
        return policy.has(field) ? policy.path(field).asText() : INHERITED;
    }
}
