package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * The name of a stream, for example {@code orders/eu-1}: 1 to 255 bytes of UTF-8 without control characters or
 * surrounding blanks. It does not begin with a slash, since no scope could name its namespace (O-23). It is also
 * the key of the stream's Kafka records.
 *
 * @param value the name as written; names are compared exactly
 */
public record StreamName(String value) implements Comparable<StreamName> {

    /** The namespace of names without a slash. */
    public static final String DEFAULT_NAMESPACE = "default";

    /** @throws IllegalArgumentException if the name breaks the rules; the message names the broken rule */
    public StreamName {
        NameRule.require("stream name", problem(value));
    }

    /** Returns the reason why the text is not a stream name, as the end of a sentence; null if the text is valid. */
    public static @Nullable String problem(@Nullable String value) {
        String problem = NameRule.problem(value);
        return problem != null || value == null ? problem : problemOfNamespace(value);
    }

    /** Returns the reason why no scope could name the namespace; null if one could. */
    private static @Nullable String problemOfNamespace(String name) {
        int slash = name.indexOf('/');
        if (slash == 0) {
            return "must not begin with '/', since its namespace would have no name";
        }
        return slash > 0 && NameRule.problem(name.substring(0, slash)) != null
                ? "must not have a blank before its first '/', at the end of its namespace"
                : null;
    }

    /** Returns the part before the first slash; {@value #DEFAULT_NAMESPACE} for a name without a slash. */
    public String namespace() {
        int slash = value.indexOf('/');
        return slash < 0 ? DEFAULT_NAMESPACE : value.substring(0, slash);
    }

    @Override
    public int compareTo(StreamName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
