package dev.ebb.serde.text;

import dev.ebb.domain.Spelling;
import dev.ebb.domain.policy.PolicyProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values that people, files and records give to fields, and collects all their faults. A null equals a
 * missing field. Not thread-safe.
 */
final class FieldReader {

    private final Map<String, ? extends @Nullable Object> fields;
    private final List<PolicyProblem> problems = new ArrayList<>();

    /** @param known the names of all fields that exist */
    FieldReader(Map<String, ? extends @Nullable Object> fields, Collection<String> known) {
        this.fields = fields;
        fields.keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> fault(name, Spelling.unknownField(name, known)));
    }

    /** Returns the faults, in the order in which they were found. */
    List<PolicyProblem> problems() {
        return problems;
    }

    /**
     * Returns the value of a field; null if it is missing. A field with a fault counts as missing, so that the other
     * fields can be checked.
     */
    <T> @Nullable T field(String name, Function<Object, T> reader) {
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

    /** Returns the value of a required field; null if it is missing, which is a fault. */
    <T> @Nullable T required(String name, Function<Object, T> reader) {
        if (fields.get(name) == null) {
            fault(name, "must be named");
        }
        return field(name, reader);
    }

    private void fault(String field, String message) {
        problems.add(PolicyProblem.fault(field, message));
    }
}
