package dev.ebb.domain.source;

import dev.ebb.domain.Snapshot;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The format of the keys or values of a source (F-3).
 *
 * @param kind a built-in format, or that of a converter
 * @param className the class of Kafka Connect's {@code Converter}; empty for a built-in format
 * @param options the options of the converter
 * @param transforms the transformations after it, in their order; only beside a converter
 */
public record FormatChoice(Kind kind, String className, Map<String, String> options, List<Transform> transforms) {

    /** Formats. */
    public enum Kind {
        /** JSON of any form. */
        JSON,
        /** Avro in Confluent's wire format, with schemas from the registry. */
        AVRO,
        /** One text in UTF-8. */
        TEXT,
        /** Bytes that no path looks into. */
        BYTES,
        /** The format of a class of Kafka Connect. */
        CONVERTER;

        /** Returns the word of a declaration. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the built-in format of a word; empty if there is none. */
        public static Optional<Kind> parse(String text) {
            return Stream.of(values())
                    .filter(kind -> kind != CONVERTER && kind.text().equals(text))
                    .findFirst();
        }
    }

    /**
     * A transformation of Kafka Connect.
     *
     * @param className the class of the {@code Transformation}
     * @param options its options
     */
    public record Transform(String className, Map<String, String> options) {

        public Transform {
            options = Snapshot.of(options);
        }
    }

    public FormatChoice {
        options = Snapshot.of(options);
        transforms = List.copyOf(transforms);
        if ((kind == Kind.CONVERTER) == className.isEmpty()) {
            throw new IllegalArgumentException("a converter has a class, and a built-in format has none");
        }
    }

    /** Returns a built-in format. */
    public static FormatChoice of(Kind kind) {
        return new FormatChoice(kind, "", Map.of(), List.of());
    }

    /** Returns the format of a class of Kafka Connect. */
    public static FormatChoice ofConverter(String className, Map<String, String> options, List<Transform> transforms) {
        return new FormatChoice(Kind.CONVERTER, className, options, transforms);
    }

    /** Returns the name of the format for people. */
    @Override
    public String toString() {
        return kind == Kind.CONVERTER ? className : kind.text();
    }
}
