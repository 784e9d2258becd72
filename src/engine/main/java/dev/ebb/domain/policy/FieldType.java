package dev.ebb.domain.policy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.time.Durations;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The type of a policy field: the form of its values in files, records, REST and texts for people, and in a column of
 * SQL. Immutable.
 *
 * @param <T> the type of the values in Java
 */
public final class FieldType<T> {

    private static final String UNLIMITED = "unlimited";
    private static final String NONE = "none";
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?\\d{1,18}");
    private static final Pattern DIGITS = Pattern.compile("-?\\d+");

    /** A number with a unit, an exponent, or signs between its digits. */
    private static final Pattern SIZE = Pattern.compile("(?i)\\d[\\d.]*\\s*(e\\d+|[kmgt]i?b?|b)|\\d+([,_]\\d+)+");

    /** A duration above which events go, or {@code unlimited}. */
    static final FieldType<Limit> AGE = duration(UNLIMITED);

    /** A number above which events go, or {@code unlimited}. */
    public static final FieldType<Limit> CAP = number(UNLIMITED);

    /** A duration that guards or bounds, or {@code none}. */
    static final FieldType<Limit> SPAN = duration(NONE);

    /** A number that guards, or {@code none}. */
    static final FieldType<Limit> COUNT = number(NONE);

    /** A duration in milliseconds; {@link PolicyValidator} requires that it is positive. */
    static final FieldType<Long> INTERVAL = new FieldType<>(
            Long.class, Form.TEXT, Form.NUMBER, "DURATION", FieldType::interval, Durations::format, ms -> ms);

    /** The time from which age counts, as one word. */
    static final FieldType<Anchor> ANCHOR = word(Anchor.class, "TIME", Anchor::parse, Anchor::text);

    /** The mode of sweeps, as one word. */
    static final FieldType<PolicyMode> MODE = word(PolicyMode.class, "MODE", PolicyMode::parse, PolicyMode::text);

    /** The rows of SQL, as one word. */
    static final FieldType<Mirroring> MIRRORING = word(Mirroring.class, "ROWS", Mirroring::parse, Mirroring::text);

    /** A part of the day, or {@code none}. */
    static final FieldType<SweepWindow> WINDOW =
            ofText(SweepWindow.class, "WINDOW", value -> SweepWindow.parse(text(value)), SweepWindow::toString);

    /** Any text. */
    public static final FieldType<String> TEXT = ofText(String.class, "NAME", FieldType::text, text -> text);

    /** A truth value. */
    static final FieldType<Boolean> TRUTH = new FieldType<>(
            Boolean.class, Form.TRUTH, Form.TRUTH, "", FieldType::truth, truth -> truth, truth -> truth);

    /** In YAML, {@code no} is a truth value and {@code 007} a number. */
    private static final String QUOTE = "; put it in quotation marks";

    private final Class<T> values;
    private final Form written;
    private final Form column;
    private final String noun;
    private final Function<Object, T> reader;
    private final Function<T, Object> writer;
    private final Function<T, Object> columnWriter;

    private FieldType(
            Class<T> values,
            Form written,
            Form column,
            String noun,
            Function<Object, T> reader,
            Function<T, Object> writer,
            Function<T, Object> columnWriter) {
        this.values = values;
        this.written = written;
        this.column = column;
        this.noun = noun;
        this.reader = reader;
        this.writer = writer;
        this.columnWriter = columnWriter;
    }

    /** Forms of a value outside Java. */
    public enum Form {
        /** A {@link String}. */
        TEXT,
        /** A {@link Long}; people may write a word in its place. */
        NUMBER,
        /** A {@link Boolean}. */
        TRUTH
    }

    private static FieldType<Limit> duration(String none) {
        return new FieldType<>(
                Limit.class,
                Form.TEXT,
                Form.NUMBER,
                "DURATION",
                value -> duration(value, none),
                limit -> limit.isNone() ? none : Durations.format(limit.value()),
                Limit::value);
    }

    private static FieldType<Limit> number(String none) {
        return new FieldType<>(
                Limit.class,
                Form.NUMBER,
                Form.NUMBER,
                "N",
                value -> number(value, none),
                limit -> limit.isNone() ? none : (Object) limit.value(),
                Limit::value);
    }

    private static <E extends Enum<E>> FieldType<E> word(
            Class<E> values, String noun, Function<String, Optional<E>> parser, Function<E, String> writer) {
        List<String> words = Stream.of(values.getEnumConstants()).map(writer).toList();
        int last = words.size() - 1;
        String wanted = String.join(", ", words.subList(0, last)) + " or " + words.get(last);
        return ofText(values, noun, value -> parser.apply(text(value)).orElseThrow(() -> wrong(wanted, value)), writer);
    }

    private static <T> FieldType<T> ofText(
            Class<T> values, String noun, Function<Object, T> reader, Function<T, String> writer) {
        return new FieldType<>(values, Form.TEXT, Form.TEXT, noun, reader, writer::apply, writer::apply);
    }

    /** Returns the type of the values in Java. */
    public Class<T> values() {
        return values;
    }

    /** Returns the form in which the values are written. */
    public Form written() {
        return written;
    }

    /** Returns the form in which a column of SQL holds the values. */
    public Form column() {
        return column;
    }

    /** Returns the word for a value in a description, such as {@code DURATION}; empty for a truth value. */
    public String noun() {
        return noun;
    }

    /** Returns all valid words, if the values are a few words; else an empty list. */
    public List<Object> words() {
        T[] words = values.getEnumConstants();
        return words == null ? List.of() : Stream.of(words).map(writer).toList();
    }

    /**
     * Returns the value of a written text, whole number or truth value.
     *
     * @throws IllegalArgumentException if this is not the written form of the type, which the message describes
     */
    public T read(Object text) {
        return reader.apply(text);
    }

    /** Returns the written form of a value, as {@link #read} takes it: a text, whole number or truth value. */
    public Object write(T value) {
        return writer.apply(value);
    }

    /**
     * Returns the form of a value in a column of SQL: a text, whole number or truth value; a duration is in
     * milliseconds there.
     */
    public Object toColumn(T value) {
        return columnWriter.apply(value);
    }

    private static Limit duration(Object value, String none) {
        if (!(value instanceof String text) || isOtherWord(text, none)) {
            throw wrong("a duration such as 30d, or '" + none + "'", value);
        }
        return text.equalsIgnoreCase(none) ? Limit.NONE : Limit.of(positive(Durations.parseMs(text), text));
    }

    /** Returns true if the text is the wrong word for no limit: ages and bounds have different words. */
    private static boolean isOtherWord(String text, String none) {
        return !text.equalsIgnoreCase(none) && (text.equalsIgnoreCase(NONE) || text.equalsIgnoreCase(UNLIMITED));
    }

    private static Limit number(Object value, String none) {
        if (none.equalsIgnoreCase(value.toString())) {
            return Limit.NONE;
        }
        return Limit.of(positive(wholeNumber(value, none), value));
    }

    private static long wholeNumber(Object value, String none) {
        boolean isNumber = value instanceof Long || value instanceof Integer;
        if (!isNumber
                && !(value instanceof String text && WHOLE_NUMBER.matcher(text).matches())) {
            boolean isTooBig = DIGITS.matcher(value.toString()).matches();
            throw wrong(
                    "a whole number" + (isTooBig ? " of at most 18 digits" : "") + " or '" + none + "'",
                    value,
                    SIZE.matcher(value.toString()).matches() ? "; write all digits, such as 1000000000 for 1GB" : "");
        }
        return Long.parseLong(value.toString());
    }

    private static long positive(long number, Object written) {
        if (number <= 0) {
            throw new IllegalArgumentException("must be positive, was " + written);
        }
        return number;
    }

    private static long interval(Object value) {
        if (!(value instanceof String text)) {
            throw wrong("a duration such as 1s", value);
        }
        return Durations.parseMs(text);
    }

    private static boolean truth(Object value) {
        if (!(value instanceof Boolean truth)) {
            throw wrong("true or false", value);
        }
        return truth;
    }

    private static String text(Object value) {
        if (!(value instanceof String text)) {
            throw wrong("a text", value, value instanceof Number || value instanceof Boolean ? QUOTE : "");
        }
        return text;
    }

    private static IllegalArgumentException wrong(String wanted, Object value) {
        return wrong(wanted, value, "");
    }

    private static IllegalArgumentException wrong(String wanted, Object value, String remedy) {
        return new IllegalArgumentException("must be " + wanted + ", was '" + value + "'" + remedy);
    }
}
