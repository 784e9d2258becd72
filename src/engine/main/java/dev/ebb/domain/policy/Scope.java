package dev.ebb.domain.policy;

import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.event.StreamName;
import java.util.Comparator;
import java.util.Locale;

/**
 * The streams to which a policy applies, written {@code stream:orders/eu-1}, {@code namespace:orders}, {@code
 * pattern:cache} or {@code *}.
 *
 * @param kind its width
 * @param name the name of the stream, namespace or pattern; empty for {@link Kind#ALL}
 */
public record Scope(Kind kind, String name) implements Comparable<Scope> {

    /** Kinds of scopes, from the narrowest to the widest. */
    public enum Kind {
        STREAM,
        NAMESPACE,
        PATTERN,
        ALL;

        /** Returns the word before the colon; {@code all} for {@link #ALL}. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Every stream: {@code *}. */
    public static final Scope ALL = new Scope(Kind.ALL, "");

    private static final Comparator<Scope> WIDEST_FIRST =
            Comparator.comparing(Scope::kind).reversed().thenComparing(Scope::name);

    /** @throws IllegalArgumentException if the name is missing where one is needed, or breaks the rules of names */
    public Scope {
        String problem = kind == Kind.STREAM ? StreamName.problem(name) : NameRule.problem(name);
        if (kind == Kind.ALL ? !name.isEmpty() : problem != null) {
            throw new IllegalArgumentException("the name of a " + kind.text() + " scope " + problem);
        }
        if (kind == Kind.NAMESPACE && name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a namespace has no '/'; did you mean stream:" + name + "?");
        }
    }

    public static Scope stream(String name) {
        return new Scope(Kind.STREAM, name);
    }

    public static Scope namespace(String name) {
        return new Scope(Kind.NAMESPACE, name);
    }

    public static Scope pattern(String name) {
        return new Scope(Kind.PATTERN, name);
    }

    /**
     * Returns the scope with the given text.
     *
     * @throws IllegalArgumentException if the text is not a scope; the message describes a valid one
     */
    public static Scope parse(String text) {
        if (text.equals("*")) {
            return ALL;
        }
        int colon = text.indexOf(':');
        String kind = colon < 0 ? "" : text.substring(0, colon);
        String name = text.substring(colon + 1);
        return switch (kind) {
            case "stream" -> stream(name);
            case "namespace" -> namespace(name);
            case "pattern" -> pattern(name);
            default ->
                throw new IllegalArgumentException(
                        "'" + text + "' is not a scope; write stream:<name>, namespace:<name>, pattern:<name> or *");
        };
    }

    /** Orders scopes from the widest to the narrowest, then by name. */
    @Override
    public int compareTo(Scope other) {
        return WIDEST_FIRST.compare(this, other);
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return kind == Kind.ALL ? "*" : kind.text() + ":" + name;
    }
}
