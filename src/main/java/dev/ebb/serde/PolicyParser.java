package dev.ebb.serde;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.PolicyValidator;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a policy of the values that people, files and records give to its fields, and names everything that is wrong
 * with them at once (M-11). Null in a field is the same as a field that is left out.
 */
public final class PolicyParser {

    /** The fields of this version, in the order in which they are shown. */
    public static final List<String> FIELDS = List.of(
            "scope",
            "maxAge",
            "maxCount",
            "maxBytes",
            "anchor",
            "minTtl",
            "maxTtl",
            "allowInfiniteTtl",
            "interval",
            "pattern",
            "enabled",
            "updatedBy",
            "reason");

    static final String UNLIMITED = "unlimited";
    static final String NONE = "none";

    private static final Set<String> NOT_SUPPORTED_YET =
            Set.of("keepLast", "minAge", "mode", "window", "warnBefore", "archive", "confirmed");

    private final Map<String, ? extends @Nullable Object> fields;
    private final List<PolicyProblem> problems = new ArrayList<>();

    private PolicyParser(Map<String, ? extends @Nullable Object> fields) {
        this.fields = fields;
    }

    /** The policy of these values: texts, numbers and truth values by the name of the field. */
    public static ParsedPolicy parse(Map<String, ? extends @Nullable Object> fields) {
        return new PolicyParser(fields).parse();
    }

    private ParsedPolicy parse() {
        fields.keySet().forEach(this::checkName);
        Scope scope = scope();
        RetentionPolicy policy = policy(scope == null ? Scope.ALL : scope, scope != null);
        problems.addAll(PolicyValidator.problems(policy));
        boolean isFaulty = problems.stream().anyMatch(PolicyProblem::isFault);
        return new ParsedPolicy(isFaulty ? Optional.empty() : Optional.of(policy), problems);
    }

    /** Without a scope nobody can say whether the pattern is right. */
    private RetentionPolicy policy(Scope scope, boolean isScopeKnown) {
        return RetentionPolicy.of(scope)
                .maxAge(duration("maxAge", UNLIMITED))
                .maxCount(number("maxCount"))
                .maxBytes(number("maxBytes"))
                .anchor(anchor())
                .minTtl(duration("minTtl", NONE))
                .maxTtl(duration("maxTtl", NONE))
                .allowInfiniteTtl(truth("allowInfiniteTtl"))
                .intervalMs(interval())
                .pattern(isScopeKnown ? text("pattern") : null)
                .enabled(truth("enabled"))
                .updatedBy(text("updatedBy"))
                .reason(text("reason"))
                .build();
    }

    private void checkName(String name) {
        if (!FIELDS.contains(name)) {
            fault(name, NOT_SUPPORTED_YET.contains(name) ? "not supported yet" : "unknown field '" + name + "'");
        }
    }

    private @Nullable Scope scope() {
        String text = text("scope");
        if (text == null) {
            if (fields.get("scope") == null) {
                fault("scope", "must be named");
            }
            return null;
        }
        try {
            return Scope.parse(text);
        } catch (IllegalArgumentException e) {
            fault("scope", e);
            return null;
        }
    }

    private @Nullable Limit duration(String field, String none) {
        Object value = fields.get(field);
        if (value == null) {
            return null;
        }
        if (!(value instanceof String text)) {
            return fault(field, "must be a duration such as 30d, or '" + none + "', was " + value);
        }
        if (text.equalsIgnoreCase(none)) {
            return Limit.NONE;
        }
        if (isNone(text)) {
            return fault(field, "must be a duration or '" + none + "', was '" + text + "'");
        }
        return positiveDuration(field, text);
    }

    private @Nullable Limit positiveDuration(String field, String text) {
        try {
            long ms = Durations.parseMs(text);
            return ms > 0 ? Limit.of(ms) : fault(field, "must be positive, was " + text);
        } catch (IllegalArgumentException e) {
            return fault(field, e);
        }
    }

    private @Nullable Limit number(String field) {
        Object value = fields.get(field);
        if (value == null || value instanceof String text && text.equalsIgnoreCase(UNLIMITED)) {
            return value == null ? null : Limit.NONE;
        }
        Long number = wholeNumber(value);
        if (number == null) {
            return fault(field, "must be a whole number or '" + UNLIMITED + "', was '" + value + "'");
        }
        return number > 0 ? Limit.of(number) : fault(field, "must be positive, was " + number);
    }

    private @Nullable Long interval() {
        Object value = fields.get("interval");
        if (value == null) {
            return null;
        }
        if (!(value instanceof String text) || isNone(text)) {
            return fault("interval", "must be a duration such as 1s, was " + value);
        }
        try {
            return Durations.parseMs(text);
        } catch (IllegalArgumentException e) {
            return fault("interval", e);
        }
    }

    private @Nullable Anchor anchor() {
        String text = text("anchor");
        if (text == null) {
            return null;
        }
        return Anchor.parse(text)
                .orElseGet(() -> fault("anchor", "must be stored, occurred or completed, was '" + text + "'"));
    }

    private @Nullable Boolean truth(String field) {
        Object value = fields.get(field);
        return value == null || value instanceof Boolean
                ? (Boolean) value
                : fault(field, "must be true or false, was '" + value + "'");
    }

    private @Nullable String text(String field) {
        Object value = fields.get(field);
        return value == null || value instanceof String
                ? (String) value
                : fault(field, "must be a text, was " + value);
    }

    private static boolean isNone(String text) {
        return text.equalsIgnoreCase(NONE) || text.equalsIgnoreCase(UNLIMITED);
    }

    private static @Nullable Long wholeNumber(Object value) {
        if (value instanceof Long || value instanceof Integer) {
            return ((Number) value).longValue();
        }
        try {
            return value instanceof String text ? Long.valueOf(text.strip()) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private <T> @Nullable T fault(String field, IllegalArgumentException e) {
        return fault(field, String.valueOf(e.getMessage()));
    }

    /** Gives null, which is what a field with a fault counts as, so that the other fields can be looked at. */
    private <T> @Nullable T fault(String field, String message) {
        problems.add(PolicyProblem.fault(field, message));
        return null;
    }
}
