package dev.ebb.serde.text;

import dev.ebb.domain.Spelling;
import dev.ebb.domain.policy.FieldType;
import dev.ebb.domain.policy.PolicyProblem;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values that people, files and records give to the fields of an object, which may have objects inside, and
 * collects all their faults with the whole name of the field, such as {@code status.map}. A null equals a missing field.
 * Not thread-safe.
 */
final class FieldReader {

    private final String prefix;
    private final Map<?, ?> values;
    private final List<PolicyProblem> problems;

    private FieldReader(String prefix, Map<?, ?> values, List<PolicyProblem> problems) {
        this.prefix = prefix;
        this.values = values;
        this.problems = problems;
    }

    /** @param known the names of all fields that exist */
    static FieldReader of(Map<?, ?> values, Collection<String> known, List<PolicyProblem> problems) {
        return of("", values, known, problems);
    }

    /** @param prefix the name of the object with a dot behind it */
    static FieldReader of(String prefix, Map<?, ?> values, Collection<String> known, List<PolicyProblem> problems) {
        FieldReader reader = new FieldReader(prefix, values, problems);
        for (Object name : values.keySet()) {
            if (!known.contains(name)) {
                reader.fault(String.valueOf(name), Spelling.unknownField(String.valueOf(name), known));
            }
        }
        return reader;
    }

    void fault(String field, String message) {
        problems.add(PolicyProblem.fault(prefix + field, message));
    }

    @Nullable
    Object raw(String name) {
        return values.get(name);
    }

    /** Returns what the reader makes of a text; null if the field is missing or has a fault. */
    <T> @Nullable T text(String name, Function<String, T> reader) {
        return value(name, value -> reader.apply(FieldType.TEXT.read(value)));
    }

    /** Returns what the reader makes of a text that must be there; null if it is missing or has a fault. */
    <T> @Nullable T required(String name, String example, Function<String, T> reader) {
        if (values.get(name) == null) {
            fault(name, "must be named, for example " + name + ": " + example);
        }
        return text(name, reader);
    }

    /** Returns what the reader makes of a value that must be there; null if it is missing or has a fault. */
    <T> @Nullable T required(String name, Function<Object, T> reader) {
        if (values.get(name) == null) {
            fault(name, "must be named");
        }
        return value(name, reader);
    }

    /**
     * Returns what the reader makes of the value; null if the field is missing. A field with a fault counts as missing, so
     * that the other fields can be checked.
     */
    <T> @Nullable T value(String name, Function<Object, T> reader) {
        Object value = values.get(name);
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

    /** Returns a reader of the object in a field; null if the field is no object. */
    @Nullable
    FieldReader object(String name, Set<String> known) {
        return values.get(name) instanceof Map<?, ?> object ? of(prefix + name + ".", object, known, problems) : null;
    }

    /** Returns a reader of an object that stands in a list of this one. */
    FieldReader below(String name, Map<?, ?> object, Set<String> known) {
        return of(prefix + name + ".", object, known, problems);
    }

    /** Returns the entries of an object of texts, numbers and truth values, as texts; empty if it is missing. */
    Map<String, String> texts(String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        Object object = values.get(name);
        if (object instanceof Map<?, ?> entries) {
            entries.forEach((key, value) -> {
                if (value == null || value instanceof Map || value instanceof List) {
                    fault(name + "." + key, "must be a text");
                } else {
                    texts.put(String.valueOf(key), value.toString());
                }
            });
        } else if (object != null) {
            fault(name, "must be an object");
        }
        return texts;
    }
}
