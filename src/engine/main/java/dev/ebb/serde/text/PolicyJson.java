package dev.ebb.serde.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A policy as a JSON object with the field names of the model and durations as people write them. Stateless. */
public final class PolicyJson {

    private PolicyJson() {}

    /** Returns the object of a policy, with the fields that it sets. */
    public static ObjectNode write(RetentionPolicy policy) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        policy.written().forEach((name, value) -> put(json, name, value));
        return json;
    }

    private static void put(ObjectNode json, String name, Object value) {
        if (value instanceof Long number) {
            json.put(name, number);
        } else if (value instanceof Boolean truth) {
            json.put(name, truth);
        } else {
            json.put(name, value.toString());
        }
    }

    /**
     * Returns the policy of an object that may omit its scope, and must not name another scope; the result names every
     * fault.
     */
    public static ParsedPolicy read(JsonNode json, Scope scope) {
        if (!json.isObject()) {
            return noObject();
        }
        Map<String, @Nullable Object> values = values(json);
        @Nullable Object named = values.putIfAbsent("scope", scope.toString());
        ParsedPolicy parsed = PolicyParser.parse(values);
        return named == null || named.equals(scope.toString()) ? parsed : otherScope(parsed, named, scope);
    }

    private static ParsedPolicy noObject() {
        PolicyProblem fault = PolicyProblem.fault("policy", "must be a JSON object");
        return new ParsedPolicy(Optional.empty(), List.of(fault));
    }

    private static ParsedPolicy otherScope(ParsedPolicy parsed, Object named, Scope scope) {
        return parsed.and(PolicyProblem.fault("scope", "is '" + named + "', but the policy is addressed as " + scope));
    }

    static Map<String, @Nullable Object> values(JsonNode json) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        json.properties().forEach(field -> values.put(field.getKey(), value(field.getValue())));
        return values;
    }

    /** Returns a value; a value that is neither text, whole number nor truth value stays JSON, which no field takes. */
    private static @Nullable Object value(JsonNode node) {
        if (node.isNull()) {
            return null;
        }
        if (node.isTextual()) {
            return node.textValue();
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        return node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : node;
    }
}
