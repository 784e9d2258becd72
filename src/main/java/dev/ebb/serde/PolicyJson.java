package dev.ebb.serde;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.policy.Limit;
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

    /** The object of a policy, with the fields that it sets. */
    public static ObjectNode write(RetentionPolicy policy) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("scope", policy.scope().toString());
        putDuration(json, "maxAge", policy.maxAge(), PolicyParser.UNLIMITED);
        putNumber(json, "maxCount", policy.maxCount());
        putNumber(json, "maxBytes", policy.maxBytes());
        putText(json, "anchor", policy.anchor() == null ? null : policy.anchor().text());
        putDuration(json, "minTtl", policy.minTtl(), PolicyParser.NONE);
        putDuration(json, "maxTtl", policy.maxTtl(), PolicyParser.NONE);
        putTruth(json, "allowInfiniteTtl", policy.allowInfiniteTtl());
        putText(json, "interval", policy.intervalMs() == null ? null : Durations.format(policy.intervalMs()));
        putText(json, "pattern", policy.pattern());
        putTruth(json, "enabled", policy.enabled());
        putText(json, "updatedBy", policy.updatedBy());
        putText(json, "reason", policy.reason());
        return json;
    }

    /** The policy of an object; every fault is named. */
    public static ParsedPolicy read(JsonNode json) {
        return json.isObject() ? PolicyParser.parse(values(json)) : noObject();
    }

    /** The policy of an object that may leave out its scope, and may not name another one. */
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

    private static Map<String, @Nullable Object> values(JsonNode json) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        json.properties().forEach(field -> values.put(field.getKey(), value(field.getValue())));
        return values;
    }

    /** What is neither text, whole number nor truth value stays JSON, which no field takes. */
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

    private static void putDuration(ObjectNode json, String field, @Nullable Limit limit, String none) {
        if (limit != null) {
            json.put(field, limit.isNone() ? none : Durations.format(limit.value()));
        }
    }

    private static void putNumber(ObjectNode json, String field, @Nullable Limit limit) {
        if (limit != null && limit.isNone()) {
            json.put(field, PolicyParser.UNLIMITED);
        } else if (limit != null) {
            json.put(field, limit.value());
        }
    }

    private static void putText(ObjectNode json, String field, @Nullable String text) {
        if (text != null) {
            json.put(field, text);
        }
    }

    private static void putTruth(ObjectNode json, String field, @Nullable Boolean value) {
        if (value != null) {
            json.put(field, value);
        }
    }
}
