package dev.ebb.serde.text;

import dev.ebb.domain.policy.FieldType;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a hold from the values that people, files and records give to its fields, and names all faults at once. A null
 * equals a missing field. Stateless.
 */
public final class HoldParser {

    /** All fields, in the order of display. */
    public static final List<String> FIELDS = List.of("case", "covers", "reason", "placedBy", "placedAt");

    private HoldParser() {}

    /**
     * Returns the hold of these values by the names of the fields: texts, and a time as ISO-8601 or epoch milliseconds.
     */
    public static ParsedHold parse(Map<String, ? extends @Nullable Object> fields) {
        List<PolicyProblem> problems = new ArrayList<>();
        FieldReader reader = FieldReader.of(fields, FIELDS, problems);
        String caseId = reader.required("case", HoldParser::caseId);
        Scope covers = reader.required("covers", HoldParser::covers);
        String reason = reader.value("reason", FieldType.TEXT::read);
        String placedBy = reader.value("placedBy", FieldType.TEXT::read);
        Long placedAt = reader.value("placedAt", HoldParser::time);
        if (caseId == null || covers == null || !problems.isEmpty()) {
            return new ParsedHold(Optional.empty(), problems);
        }
        Hold hold = new Hold(caseId, covers, orEmpty(reason), orEmpty(placedBy), placedAt == null ? 0 : placedAt);
        return new ParsedHold(Optional.of(hold), problems);
    }

    private static String caseId(Object value) {
        String text = FieldType.TEXT.read(value);
        PolicyKey.ofHold(text);
        return text;
    }

    private static Scope covers(Object value) {
        Scope scope = Scope.parse(FieldType.TEXT.read(value));
        if (scope.kind() == Scope.Kind.PATTERN) {
            throw new IllegalArgumentException("must be stream:<name>, namespace:<name> or *, was '" + scope + "'");
        }
        return scope;
    }

    private static long time(Object value) {
        if ((value instanceof Long || value instanceof Integer) && ((Number) value).longValue() >= 0) {
            return ((Number) value).longValue();
        }
        return Times.readFixed(FieldType.TEXT.read(value), DateBound.BEGINNING);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
