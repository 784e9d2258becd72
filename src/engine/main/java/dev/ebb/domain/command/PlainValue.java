package dev.ebb.domain.command;

import dev.ebb.domain.Unicode;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TimeRule;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Times;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The plain value of one field, read as the type of the field. A wrong value counts as missing, or only its valid part
 * counts.
 *
 * @param value the value; null if none is given
 * @param faults takes each fault, as the end of a sentence that begins with the field
 */
record PlainValue(@Nullable Object value, Consumer<String> faults) {

    /** Maximum number of rows of each table in one command. */
    static final int MAX_ROWS = 1000;

    /**
     * Maximum length of the text of a row, in characters. Ebb's records name rows, and no index of PostgreSQL has
     * longer keys, unless they compress well.
     */
    private static final int MAX_ROW = 4096;

    @Nullable
    String text() {
        String text = value instanceof CharSequence ? value.toString() : null;
        if (value == null || (text != null && Unicode.isValid(text))) {
            return text;
        }
        faults.accept(text == null ? "must be a text" : "must be valid Unicode");
        return null;
    }

    /** Returns a text that keeps the rule, empty if there is none. */
    String said(Function<String, @Nullable String> rule) {
        String text = text();
        String problem = text == null ? null : rule.apply(text);
        if (problem != null) {
            faults.accept(problem);
        }
        return text == null ? "" : text;
    }

    @Nullable
    String text(Pattern form, String message) {
        String text = text();
        if (text != null && !form.matcher(text).matches()) {
            faults.accept(message + ", was '" + text + "'");
        }
        return text;
    }

    boolean truth() {
        if (value != null && !(value instanceof Boolean)) {
            faults.accept("must be true or false, was '" + value + "'");
        }
        return Boolean.TRUE.equals(value);
    }

    /** Returns a whole number that is not less than the minimum. */
    @Nullable
    Long number(long min) {
        Long number = whole(value);
        if (number != null && number >= min) {
            return number;
        }
        if (value != null) {
            faults.accept(
                    number == null
                            ? "must be a whole number, was '" + value + "'"
                            : "must be at least " + min + ", was " + number);
        }
        return null;
    }

    /**
     * Returns a time in epoch milliseconds, of a number or a text; a duration is refused, since its meaning would change
     * with the time of reading.
     *
     * @param bound the meaning of a date
     */
    @Nullable
    Long time(DateBound bound) {
        if (value instanceof CharSequence text) {
            return textTime(text.toString(), bound);
        }
        Long ms = whole(value);
        String problem = ms == null ? null : TimeRule.problemOfNumber(ms);
        if (problem != null) {
            faults.accept("is wrong: " + problem);
            return null;
        }
        return number(0);
    }

    private @Nullable Long textTime(String text, DateBound bound) {
        try {
            return new PlainValue(Times.readFixed(text, bound), faults).time(bound);
        } catch (IllegalArgumentException e) {
            faults.accept("is not a time: " + e.getMessage());
            return null;
        }
    }

    /** Returns a name that follows the rules of names. */
    @Nullable
    String name() {
        return named(NameRule::problem);
    }

    /** Returns the text; null if it is missing or has a problem. */
    private @Nullable String named(Function<String, @Nullable String> rule) {
        String name = text();
        String problem = name == null ? null : rule.apply(name);
        if (problem != null) {
            faults.accept(problem);
        }
        return problem == null ? name : null;
    }

    @Nullable
    StreamName stream() {
        String name = named(StreamName::problem);
        return name == null ? null : new StreamName(name);
    }

    @Nullable
    EventId event() {
        String id = name();
        return id == null ? null : new EventId(id);
    }

    @Nullable
    String namespace() {
        String name = text();
        try {
            return name == null ? null : Scope.namespace(name).name();
        } catch (IllegalArgumentException e) {
            faults.accept("is wrong: " + e.getMessage());
            return null;
        }
    }

    /** Returns the scope of a policy, or {@code hold:<case>}. */
    @Nullable
    String policy() {
        String text = text();
        try {
            return text == null ? null : PolicyKey.parse(text).toString();
        } catch (IllegalArgumentException e) {
            faults.accept("is wrong: " + e.getMessage());
            return null;
        }
    }

    /** Returns the scope of a sweep; everything if none is named. */
    Scope scope() {
        String text = text();
        try {
            Scope scope = text == null ? Scope.ALL : Scope.parse(text);
            if (scope.kind() != Scope.Kind.PATTERN) {
                return scope;
            }
            faults.accept("must be stream:<name>, namespace:<name> or *; streams of a pattern cannot be swept alone");
        } catch (IllegalArgumentException e) {
            faults.accept("is wrong: " + e.getMessage());
        }
        return Scope.ALL;
    }

    /** Returns names of streams without repetition; null if there is no list. */
    @Nullable
    List<StreamName> streams() {
        if (value instanceof Collection<?> names) {
            return List.copyOf(new LinkedHashSet<>(each(names, PlainValue::streamOf)));
        }
        if (value != null) {
            faults.accept("must be a list of stream names");
        }
        return null;
    }

    /** Returns conditions without repetition; empty if there is no list. */
    List<EventCondition> conditions() {
        Collection<?> texts = elements("must be a list of conditions");
        return List.copyOf(new LinkedHashSet<>(each(texts, PlainValue::conditionOf)));
    }

    /** Returns the keys of rows in the given order; empty if there is no list. */
    List<RowKey> rows() {
        return each(elements("must be a list of rows"), PlainValue::rowOf);
    }

    /** Returns whole numbers, each at least 0; empty if there is no list. */
    List<Long> numbers() {
        return each(elements("must be a list of whole numbers"), PlainValue::numberOf);
    }

    private Collection<?> elements(String fault) {
        Collection<?> elements = value instanceof Collection<?> list ? list : null;
        if (elements != null && elements.size() <= MAX_ROWS) {
            return elements;
        }
        if (value != null) {
            faults.accept(
                    elements == null
                            ? fault
                            : "must not have more than " + MAX_ROWS + " elements, has " + elements.size());
        }
        return List.of();
    }

    /** Returns the elements that can be read; adds a fault for each other element. */
    private <E> List<E> each(Collection<?> elements, Function<Object, E> reader) {
        List<E> read = new ArrayList<>();
        for (Object element : elements) {
            try {
                read.add(reader.apply(element));
            } catch (IllegalArgumentException e) {
                faults.accept(String.valueOf(e.getMessage()));
            }
        }
        return read;
    }

    private static StreamName streamOf(Object element) {
        String problem = element instanceof CharSequence ? StreamName.problem(element.toString()) : "must be a text";
        if (problem != null) {
            throw new IllegalArgumentException("has the name '" + element + "', which " + problem);
        }
        return new StreamName(element.toString());
    }

    private static EventCondition conditionOf(Object element) {
        String text = element instanceof CharSequence ? element.toString() : "";
        if (!Unicode.isValid(text)) {
            throw new IllegalArgumentException("has an element that is not valid Unicode");
        }
        return EventCondition.parse(text);
    }

    private static RowKey rowOf(Object element) {
        String text = element instanceof CharSequence ? element.toString() : "";
        try {
            if (!Unicode.isValid(text)) {
                throw new IllegalArgumentException("it is not valid Unicode");
            }
            if (text.length() > MAX_ROW) {
                throw new IllegalArgumentException("it has " + text.length() + " characters");
            }
            return RowKey.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("has an element that is not a row: " + e.getMessage(), e);
        }
    }

    private static Long numberOf(Object element) {
        Long number = whole(element);
        if (number == null || number < 0) {
            throw new IllegalArgumentException("has '" + element + "', which is not a whole number of at least 0");
        }
        return number;
    }

    private static @Nullable Long whole(@Nullable Object value) {
        return value instanceof Long || value instanceof Integer ? (Long) ((Number) value).longValue() : null;
    }
}
