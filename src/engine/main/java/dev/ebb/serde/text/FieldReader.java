package dev.ebb.serde.text;

import dev.ebb.domain.policy.PolicyProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values that people, files and records give to fields, and gathers everything that is wrong with them. Null in
 * a field is the same as a field that is left out. Not thread-safe.
 */
final class FieldReader {

    private final Map<String, ? extends @Nullable Object> fields;
    private final List<PolicyProblem> problems = new ArrayList<>();

    /** @param known the names of all fields that there are */
    FieldReader(Map<String, ? extends @Nullable Object> fields, Collection<String> known) {
        this.fields = fields;
        fields.keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> fault(name, "unknown field '" + name + "'"));
    }

    /** What is wrong, in the order in which it was found. */
    List<PolicyProblem> problems() {
        return problems;
    }

    /** A field with a fault counts as one that is left out, so that the other fields can be looked at. */
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

    /** The same for a field that must be there. */
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
