package dev.ebb.serde;

import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.Scope;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a hold of the values that people, files and records give to its fields, and names everything that is wrong with
 * them at once. Null in a field is the same as a field that is left out.
 */
public final class HoldParser {

    /** All fields, in the order in which they are shown. */
    public static final List<String> FIELDS = List.of("case", "covers", "reason", "placedBy", "placedAt");

    private final Map<String, ? extends @Nullable Object> fields;
    private final List<PolicyProblem> problems = new ArrayList<>();

    private HoldParser(Map<String, ? extends @Nullable Object> fields) {
        this.fields = fields;
    }

    /** The hold of these values: texts, and a time as ISO-8601 or epoch milliseconds, by the name of the field. */
    public static ParsedHold parse(Map<String, ? extends @Nullable Object> fields) {
        return new HoldParser(fields).parse();
    }

    private ParsedHold parse() {
        fields.keySet().stream()
                .filter(name -> !FIELDS.contains(name))
                .forEach(name -> fault(name, "unknown field '" + name + "'"));
        String caseId = required("case", HoldParser::caseId);
        Scope covers = required("covers", HoldParser::covers);
        String reason = field("reason", PolicyParser::text);
        String placedBy = field("placedBy", PolicyParser::text);
        Long placedAt = field("placedAt", HoldParser::time);
        if (caseId == null || covers == null || !problems.isEmpty()) {
            return new ParsedHold(Optional.empty(), problems);
        }
        Hold hold = new Hold(caseId, covers, orEmpty(reason), orEmpty(placedBy), placedAt == null ? 0 : placedAt);
        return new ParsedHold(Optional.of(hold), problems);
    }

    private <T> @Nullable T required(String name, Function<Object, T> reader) {
        if (fields.get(name) == null) {
            fault(name, "must be named");
        }
        return field(name, reader);
    }

    private <T> @Nullable T field(String name, Function<Object, T> reader) {
        Object value = fields.get(name);
        if (value == null) {
            return null;
        }
        try {
            return reader.apply(value);
        } catch (IllegalArgumentException e) {
            fault(name, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void fault(String field, String message) {
        problems.add(PolicyProblem.fault(field, message));
    }

    private static String caseId(Object value) {
        String text = PolicyParser.text(value);
        PolicyKey.ofHold(text);
        return text;
    }

    private static Scope covers(Object value) {
        Scope scope = Scope.parse(PolicyParser.text(value));
        if (scope.kind() == Scope.Kind.PATTERN) {
            throw new IllegalArgumentException("must be stream:<name>, namespace:<name> or *, was '" + scope + "'");
        }
        return scope;
    }

    private static long time(Object value) {
        if ((value instanceof Long || value instanceof Integer) && ((Number) value).longValue() >= 0) {
            return ((Number) value).longValue();
        }
        try {
            return Instant.parse(PolicyParser.text(value)).toEpochMilli();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("must be a time such as 2026-01-31T08:00:00Z, was '" + value + "'", e);
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
