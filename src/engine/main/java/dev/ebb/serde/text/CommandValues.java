package dev.ebb.serde.text;

import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.serde.schemas.Unicode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The values of one command; notes the faults of those that are read. */
final class CommandValues {

    /**
     * The longest text of a row: our records name rows, and no index of PostgreSQL has longer keys, unless they
     * compress well.
     */
    private static final int MAX_ROW = 4096;

    private final Map<String, Object> values;
    private final List<ParsedCommand.Fault> faults = new ArrayList<>();

    CommandValues(Map<String, Object> values) {
        this.values = values;
    }

    List<ParsedCommand.Fault> faults() {
        return faults;
    }

    void fault(CommandField field, String message) {
        faults.add(new ParsedCommand.Fault(field.text(), message));
    }

    /** Whether the field is given; {@code false} counts as not given. */
    boolean isGiven(CommandField field) {
        Object value = values.get(field.text());
        return value != null && !Boolean.FALSE.equals(value);
    }

    /** Refuses unknown fields: one may be a misspelt filter, without which too much would be deleted. */
    void refuseUnknown() {
        values.forEach((name, value) -> {
            if (!CommandField.isKnown(name) && !Boolean.FALSE.equals(value)) {
                faults.add(new ParsedCommand.Fault(name, "is not a field of a command"));
            }
        });
    }

    @Nullable
    String text(CommandField field) {
        Object value = values.get(field.text());
        if (value == null || value instanceof CharSequence) {
            String text = value == null ? null : value.toString();
            if (text == null || Unicode.isValid(text)) {
                return text;
            }
        }
        fault(field, "must be a text");
        return null;
    }

    String text(CommandField field, int maxLength) {
        String text = text(field);
        if (text != null && text.length() > maxLength) {
            fault(field, "must not be longer than " + maxLength + " characters, was " + text.length());
        }
        return text == null ? "" : text;
    }

    boolean truth(CommandField field) {
        Object value = values.get(field.text());
        if (value != null && !(value instanceof Boolean)) {
            fault(field, "must be true or false, was '" + value + "'");
        }
        return Boolean.TRUE.equals(value);
    }

    /** A whole number that is at least that minimum; null if there is none. */
    @Nullable
    Long number(CommandField field, long min) {
        Object value = values.get(field.text());
        if (value == null) {
            return null;
        }
        if (!(value instanceof Long || value instanceof Integer)) {
            fault(field, "must be a whole number, was '" + value + "'");
            return null;
        }
        long number = ((Number) value).longValue();
        if (number < min) {
            fault(field, "must be at least " + min + ", was " + number);
            return null;
        }
        return number;
    }

    /** Epoch milliseconds; null if there is none. */
    @Nullable
    Long time(CommandField field) {
        Object value = values.get(field.text());
        if (value instanceof Number number && number.longValue() < 0) {
            fault(field, "must not be before 1970, was " + number);
            return null;
        }
        return number(field, 0);
    }

    /** A name by the rules of names; null, with a fault, if there is none. */
    @Nullable
    String name(CommandField field) {
        if (values.get(field.text()) == null) {
            fault(field, "is missing");
            return null;
        }
        String name = text(field);
        String problem = name == null ? null : StreamName.problem(name);
        if (problem != null) {
            fault(field, problem);
            return null;
        }
        return name;
    }

    /** Names of streams without repetition; null if there is no list. */
    @Nullable
    List<StreamName> streams(CommandField field) {
        Object value = values.get(field.text());
        if (value == null) {
            return null;
        }
        if (!(value instanceof Collection<?> names)) {
            fault(field, "must be a list of stream names");
            return null;
        }
        Set<StreamName> streams = new LinkedHashSet<>();
        for (Object name : names) {
            String problem = name instanceof CharSequence ? StreamName.problem(name.toString()) : "must be a text";
            if (problem == null) {
                streams.add(new StreamName(name.toString()));
            } else {
                fault(field, "has the name '" + name + "', which " + problem);
            }
        }
        return List.copyOf(streams);
    }

    /** Keys of rows in the order in which they are named; empty if there is no list. */
    List<RowKey> rows(CommandField field, int most) {
        List<RowKey> rows = new ArrayList<>();
        for (Object element : elements(field, "must be a list of rows", most)) {
            try {
                String text = element instanceof CharSequence ? element.toString() : "";
                if (!Unicode.isValid(text)) {
                    throw new IllegalArgumentException("it is no valid Unicode");
                }
                if (text.length() > MAX_ROW) {
                    throw new IllegalArgumentException("it has " + text.length() + " characters");
                }
                rows.add(RowKey.parse(text));
            } catch (IllegalArgumentException e) {
                fault(field, "has something that is no row: " + e.getMessage());
            }
        }
        return rows;
    }

    /** Whole numbers of at least 0; empty if there is no list. */
    List<Long> numbers(CommandField field, int most) {
        List<Long> numbers = new ArrayList<>();
        for (Object element : elements(field, "must be a list of whole numbers", most)) {
            if ((element instanceof Long || element instanceof Integer) && ((Number) element).longValue() >= 0) {
                numbers.add(((Number) element).longValue());
            } else {
                fault(field, "has '" + element + "', which is no whole number of at least 0");
            }
        }
        return numbers;
    }

    private Collection<?> elements(CommandField field, String fault, int most) {
        Object value = values.get(field.text());
        if (value instanceof Collection<?> elements && elements.size() <= most) {
            return elements;
        }
        if (value instanceof Collection<?> elements) {
            fault(field, "must not have more than " + most + " elements, has " + elements.size());
        } else if (value != null) {
            fault(field, fault);
        }
        return List.of();
    }

    /** A namespace; null if there is none. */
    @Nullable
    String namespace(CommandField field) {
        String name = text(field);
        if (name != null) {
            try {
                return Scope.namespace(name).name();
            } catch (IllegalArgumentException e) {
                fault(field, "is wrong: " + e.getMessage());
            }
        }
        return null;
    }

    /** The scope of a sweep; everything if none is named. */
    Scope scope(CommandField field) {
        String text = text(field);
        try {
            Scope scope = text == null ? Scope.ALL : Scope.parse(text);
            if (scope.kind() != Scope.Kind.PATTERN) {
                return scope;
            }
            fault(field, "must be stream:<name>, namespace:<name> or *; streams of a pattern cannot be swept alone");
        } catch (IllegalArgumentException e) {
            fault(field, "is wrong: " + e.getMessage());
        }
        return Scope.ALL;
    }
}
