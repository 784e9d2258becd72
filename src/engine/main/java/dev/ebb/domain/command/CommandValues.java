package dev.ebb.domain.command;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The plain values of one command, and the faults of the fields read so far. Not thread-safe. */
public final class CommandValues {

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

    /** Returns the faults found so far, each once. */
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

    /** Adds a fault if the field is given and the command is not a dry run. */
    void requireDryRun(CommandField<?> field, String message) {
        if (isGiven(field) && !get(CommandField.DRY_RUN)) {
            fault(field, message);
        }
    }

    /** Adds a fault if the field is given without the other field, which it qualifies. */
    void requireBeside(CommandField<?> field, CommandField<?> other) {
        if (isGiven(field) && !isGiven(other)) {
            fault(field, "says nothing without " + other);
        }
    }

    /** Returns the names of all given fields, known or not. */
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>(values.keySet());
        names.removeIf(name -> Boolean.FALSE.equals(values.get(name)));
        return names;
    }

    /** Reads a field; adds a fault if its value is wrong, or if it is required and missing. */
    public <T> void read(CommandField<T> field, boolean isRequired) {
        if (isRequired && values.get(field.text()) == null) {
            fault(field, "is missing");
            return;
        }
        T value = field.read(new PlainValue(values.get(field.text()), message -> fault(field, message)));
        if (value != null) {
            read.put(field, value);
        }
    }

    /** Returns the value of a field that was read; null if there is none. */
    @SuppressWarnings("unchecked") // only read() puts values
    public <T> @Nullable T find(CommandField<T> field) {
        return (T) read.get(field);
    }

    /** Returns the value of a field that was read and always has a value. */
    public <T> T get(CommandField<T> field) {
        return Objects.requireNonNull(find(field), field::text);
    }
}
