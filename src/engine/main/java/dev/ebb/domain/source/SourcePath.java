package dev.ebb.domain.source;

import dev.ebb.domain.Spelling;
import dev.ebb.domain.Unicode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A path to one value in a record: {@code key.a.b}, {@code value.a.b}, {@code header.h}, or {@code
 * record.topic|partition|offset|timestamp} (F-2). {@code key} and {@code value} alone are the whole of it. The name of a
 * header is everything behind the first dot. Immutable.
 *
 * @param root the part of the record
 * @param names the names of the fields below it, from the outside in
 */
public record SourcePath(Root root, List<String> names) {

    /** Maximum number of names below the root. */
    public static final int MAX_LEVELS = 16;

    private static final String FORMS =
            "write key.a.b, value.a.b, header.h or record.topic, record.partition, record.offset, record.timestamp";

    /** Parts of a record. */
    public enum Root {
        /** Its key. */
        KEY,
        /** Its value. */
        VALUE,
        /** Its headers, of which the last one with a name counts. */
        HEADER,
        /** What Kafka knows about it. */
        RECORD;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Facts that Kafka knows about a record. */
    private static final Map<String, Fact> FACTS = Map.of(
            "topic", SourceRecord::topic,
            "partition", record -> (long) record.partition(),
            "offset", SourceRecord::offset,
            "timestamp", SourceRecord::time);

    /** A fact about a record. */
    private interface Fact {
        @Nullable
        Object of(SourceRecord record);
    }

    public SourcePath {
        names = List.copyOf(names);
    }

    /**
     * Reads a path.
     *
     * @throws IllegalArgumentException if the text is no path; the message is the end of a sentence and names the fix
     */
    public static SourcePath parse(String text) {
        int dot = text.indexOf('.');
        String first = dot < 0 ? text : text.substring(0, dot);
        Root root = root(first, text);
        String rest = dot < 0 ? "" : text.substring(dot + 1);
        return switch (root) {
            case HEADER -> new SourcePath(root, List.of(required(rest, text, "header.trace")));
            case RECORD -> new SourcePath(root, List.of(knownFact(rest, text)));
            case KEY, VALUE -> new SourcePath(root, dot < 0 ? List.of() : names(rest, text));
        };
    }

    private static Root root(String first, String text) {
        List<String> known = Stream.of(Root.values()).map(Root::text).toList();
        int index = known.indexOf(first);
        if (index >= 0) {
            return Root.values()[index];
        }
        String meant = Spelling.closest(first, known)
                .map(word -> "did you mean " + word + text.substring(first.length()) + "?")
                .orElse(FORMS);
        throw new IllegalArgumentException("'" + text + "' is not a path; " + meant);
    }

    private static String required(String rest, String text, String example) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' ends too early; write for example " + example);
        }
        return rest;
    }

    private static String knownFact(String rest, String text) {
        if (!FACTS.containsKey(rest)) {
            throw new IllegalArgumentException("'" + text
                    + "' is not known; write record.topic, record.partition, record.offset or record.timestamp");
        }
        return rest;
    }

    private static List<String> names(String rest, String text) {
        List<String> names = new ArrayList<>();
        for (int start = 0; start <= rest.length(); ) {
            int dot = rest.indexOf('.', start);
            int end = dot < 0 ? rest.length() : dot;
            if (end == start) {
                throw new IllegalArgumentException("'" + text + "' has an empty name between its dots");
            }
            names.add(rest.substring(start, end));
            start = end + 1;
        }
        if (names.size() > MAX_LEVELS) {
            throw new IllegalArgumentException(
                    "'" + text + "' is " + names.size() + " levels deep; at most " + MAX_LEVELS + " are allowed");
        }
        return names;
    }

    /** Returns true if records of one key always have the same value here, those with a null value included. */
    boolean isOfIdentity() {
        return switch (root) {
            case KEY -> true;
            case RECORD -> names.get(0).equals("topic") || names.get(0).equals("partition");
            case VALUE, HEADER -> false;
        };
    }

    /**
     * Returns the value to which the path leads; null if there is none, or if it is null itself.
     *
     * @throws SourceFaultException if the path leads through something that has no fields
     * @throws UnreadablePartException if the part of the record cannot be read
     */
    @Nullable
    Object find(SourceContent content) {
        return switch (root) {
            case RECORD -> fact(names.get(0), content.record());
            case HEADER -> text(content.header(names.get(0)));
            case KEY -> below(content.key());
            case VALUE -> below(content.value());
        };
    }

    /** Returns the text of bytes in UTF-8, or else the value itself: headers declare no format. */
    private static @Nullable Object text(@Nullable Object value) {
        Optional<String> text =
                value instanceof byte[] bytes ? Unicode.decode(bytes, 0, bytes.length) : Optional.empty();
        return text.isPresent() ? text.get() : value;
    }

    private @Nullable Object below(@Nullable Object whole) {
        Object found = whole;
        for (int i = 0; i < names.size() && found != null; i++) {
            if (!(found instanceof SourceObject object)) {
                throw SourceFaultException.type(upTo(i), "must be an object, found " + FoundType.of(found));
            }
            found = object.field(names.get(i));
        }
        return found;
    }

    private SourcePath upTo(int levels) {
        return new SourcePath(root, names.subList(0, levels));
    }

    private static @Nullable Object fact(String name, SourceRecord record) {
        Fact fact = FACTS.get(name);
        return fact == null ? null : fact.of(record);
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return names.isEmpty() ? root.text() : root.text() + "." + String.join(".", names);
    }
}
