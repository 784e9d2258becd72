package dev.ebb.domain.command;

import dev.ebb.domain.Unicode;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The plain values of one command; notes the faults of those that are read. Not thread-safe. */
public final class CommandValues {

    /** The most rows of each table in one command. */
    static final int MAX_ROWS = 1000;

    /**
     * The longest text of a row: our records name rows, and no index of PostgreSQL has longer keys, unless they
     * compress well.
     */
    private static final int MAX_ROW = 4096;

    private final Map<String, Object> values;
    private final Map<CommandField<?>, Object> read = new HashMap<>();
    private final Set<Fault> faults = new LinkedHashSet<>();

    /** @param values the values by the names of the fields; {@code false} counts as not given */
    public CommandValues(Map<String, Object> values) {
        this.values = values;
    }

    /**
     * One fault.
     *
     * @param field the field of the record of commands
     * @param message the fault, as the end of a sentence that begins with the field
     */
    public record Fault(String field, String message) {

        @Override
        public String toString() {
            return field + " " + message;
        }
    }

    /** The faults found so far, each once. */
    public List<Fault> faults() {
        return List.copyOf(faults);
    }

    public void fault(CommandField<?> field, String message) {
        fault(field.text(), message);
    }

    public void fault(String name, String message) {
        faults.add(new Fault(name, message));
    }

    /** Returns true if the field is given; {@code false} counts as not given. */
    public boolean isGiven(CommandField<?> field) {
        Object value = values.get(field.text());
        return value != null && !Boolean.FALSE.equals(value);
    }

    /** Refuses a field that is not for commands that delete. */
    void requireDryRun(CommandField<?> field, String message) {
        if (isGiven(field) && !get(CommandField.DRY_RUN)) {
            fault(field, message);
        }
    }

    /** Names of all that is given, known or not. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>(values.keySet());
        names.removeIf(name -> Boolean.FALSE.equals(values.get(name)));
        return names;
    }

    /** Reads a field, with a fault if it is wrong, or is required and not there. */
    public <T> void read(CommandField<T> field, boolean isRequired) {
        if (isRequired && values.get(field.text()) == null) {
            fault(field, "is missing");
            return;
        }
        T value = field.read(this);
        if (value != null) {
            read.put(field, value);
        }
    }

    /** Value of a field that was read; null if there is none. */
    @SuppressWarnings("unchecked") // only read() puts values
    public <T> @Nullable T find(CommandField<T> field) {
        return (T) read.get(field);
    }

    /** Value of a field that was read and has a value for certain. */
    public <T> T get(CommandField<T> field) {
        return Objects.requireNonNull(find(field), field::text);
    }

    @Nullable
    String text(String field) {
        Object value = values.get(field);
        if (value == null || value instanceof CharSequence) {
            String text = value == null ? null : value.toString();
            if (text == null || Unicode.isValid(text)) {
                return text;
            }
        }
        fault(field, "must be a text");
        return null;
    }

    String text(String field, int maxLength) {
        String text = text(field);
        if (text != null && text.length() > maxLength) {
            fault(field, "must not be longer than " + maxLength + " characters, was " + text.length());
        }
        return text == null ? "" : text;
    }

    boolean truth(String field) {
        Object value = values.get(field);
        if (value != null && !(value instanceof Boolean)) {
            fault(field, "must be true or false, was '" + value + "'");
        }
        return Boolean.TRUE.equals(value);
    }

    /** A whole number that is at least that minimum; null if there is none. */
    @Nullable
    Long number(String field, long min) {
        Object value = values.get(field);
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
    Long time(String field) {
        Object value = values.get(field);
        if (value instanceof Number number && number.longValue() < 0) {
            fault(field, "must not be before 1970, was " + number);
            return null;
        }
        return number(field, 0);
    }

    /** A text of that form; null if there is none. */
    @Nullable
    String text(String field, Pattern form, String message) {
        String text = text(field);
        if (text != null && !form.matcher(text).matches()) {
            fault(field, message + ", was '" + text + "'");
        }
        return text;
    }

    /** A name by the rules of names; null if there is none. */
    @Nullable
    String name(String field) {
        String name = text(field);
        String problem = name == null ? null : StreamName.problem(name);
        if (problem != null) {
            fault(field, problem);
            return null;
        }
        return name;
    }

    @Nullable
    StreamName stream(String field) {
        String name = name(field);
        return name == null ? null : new StreamName(name);
    }

    @Nullable
    EventId event(String field) {
        String id = name(field);
        return id == null ? null : new EventId(id);
    }

    /** Names of streams without repetition; null if there is no list. */
    @Nullable
    List<StreamName> streams(String field) {
        Object value = values.get(field);
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
    List<RowKey> rows(String field) {
        List<RowKey> rows = new ArrayList<>();
        for (Object element : elements(field, "must be a list of rows")) {
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
    List<Long> numbers(String field) {
        List<Long> numbers = new ArrayList<>();
        for (Object element : elements(field, "must be a list of whole numbers")) {
            if ((element instanceof Long || element instanceof Integer) && ((Number) element).longValue() >= 0) {
                numbers.add(((Number) element).longValue());
            } else {
                fault(field, "has '" + element + "', which is no whole number of at least 0");
            }
        }
        return numbers;
    }

    private Collection<?> elements(String field, String fault) {
        Object value = values.get(field);
        if (value instanceof Collection<?> elements && elements.size() <= MAX_ROWS) {
            return elements;
        }
        if (value instanceof Collection<?> elements) {
            fault(field, "must not have more than " + MAX_ROWS + " elements, has " + elements.size());
        } else if (value != null) {
            fault(field, fault);
        }
        return List.of();
    }

    /** A namespace; null if there is none. */
    @Nullable
    String namespace(String field) {
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
    Scope scope(String field) {
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
