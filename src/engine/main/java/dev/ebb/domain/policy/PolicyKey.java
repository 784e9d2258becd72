package dev.ebb.domain.policy;

import dev.ebb.domain.event.NameRule;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a record on the topics of policies: the scope of a policy, the case of a hold, written {@code hold:<case>},
 * the name of a source, written {@code source:<name>} (F-1), {@link #SETTINGS}, {@link #CLOCK} or {@link #SPENT}.
 * Immutable.
 */
public final class PolicyKey implements Comparable<PolicyKey> {

    /** The key of the settings that decide deletes, written {@code settings}; no scope has this form. */
    public static final PolicyKey SETTINGS = new PolicyKey(null, null, "settings");

    /** The key of the confirmation of a time far ahead of the state, written {@code clock}; no scope has this form. */
    public static final PolicyKey CLOCK = new PolicyKey(null, null, "clock");

    /** The key of the deletes of the last hour, written {@code spent}; no scope has this form. */
    public static final PolicyKey SPENT = new PolicyKey(null, null, "spent");

    private static final String HOLD = "hold:";
    private static final String SOURCE = "source:";
    private static final Comparator<PolicyKey> POLICIES_FIRST = Comparator.comparing(
                    (PolicyKey key) -> key.scope, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(PolicyKey::toString);

    private final @Nullable Scope scope;
    private final @Nullable String caseId;
    private final @Nullable String word;

    private PolicyKey(@Nullable Scope scope, @Nullable String caseId, @Nullable String word) {
        this.scope = scope;
        this.caseId = caseId;
        this.word = word;
    }

    /** Returns the key of the policy of a scope. */
    public static PolicyKey of(Scope scope) {
        return new PolicyKey(scope, null, null);
    }

    /**
     * Returns the key of a hold.
     *
     * @throws IllegalArgumentException if the case breaks the rules of names
     */
    public static PolicyKey ofHold(String caseId) {
        String problem = NameRule.problem(caseId);
        if (problem != null) {
            throw new IllegalArgumentException("the case of a hold " + problem);
        }
        return new PolicyKey(null, caseId, null);
    }

    /**
     * Returns the key with the given text.
     *
     * @throws IllegalArgumentException if the text is not a key; the message describes a valid one
     */
    public static PolicyKey parse(String text) {
        for (PolicyKey key : List.of(SETTINGS, CLOCK, SPENT)) {
            if (text.equals(key.word)) {
                return key;
            }
        }
        if (text.startsWith(HOLD)) {
            return ofHold(text.substring(HOLD.length()));
        }
        if (looksLikeSource(text)) {
            return ofSource(text.substring(SOURCE.length()));
        }
        if (text.indexOf(':') < 0 && !text.equals("*")) {
            throw new IllegalArgumentException("'" + text + "' is not a key; write stream:<name>, namespace:<name>,"
                    + " pattern:<name>, *, hold:<case>, source:<name>, " + SETTINGS + " or " + CLOCK);
        }
        return of(Scope.parse(text));
    }

    /**
     * Returns the key of a source.
     *
     * @throws IllegalArgumentException if the name breaks the rules of names
     */
    public static PolicyKey ofSource(String name) {
        String problem = NameRule.problem(name);
        if (problem != null) {
            throw new IllegalArgumentException("the name of a source " + problem);
        }
        return new PolicyKey(null, null, SOURCE + name);
    }

    /** Returns true if the text has the form of the key of a source, whether its name is valid or not. */
    public static boolean looksLikeSource(String text) {
        return text.startsWith(SOURCE);
    }

    /** Returns true if the text has the form of the key of a hold, whether its case is valid or not. */
    public static boolean looksLikeHold(String text) {
        return text.startsWith(HOLD);
    }

    /** Returns the scope of the policy; null for any other key. */
    public @Nullable Scope scope() {
        return scope;
    }

    /** Returns the case of the hold; null for any other key. */
    public @Nullable String caseId() {
        return caseId;
    }

    /** Returns true for the key of a hold. */
    public boolean isHold() {
        return caseId != null;
    }

    /** Returns true for the key of a source. */
    public boolean isSource() {
        return word != null && looksLikeSource(word);
    }

    /** Returns the name of the source; null for any other key. */
    public @Nullable String sourceName() {
        return word != null && looksLikeSource(word) ? word.substring(SOURCE.length()) : null;
    }

    /** Returns true for the key of the settings. */
    public boolean isSettings() {
        return equals(SETTINGS);
    }

    /** Orders policies before holds, the widest scope first, then by name. */
    @Override
    public int compareTo(PolicyKey other) {
        return POLICIES_FIRST.compare(this, other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PolicyKey that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        if (word != null) {
            return word;
        }
        return caseId == null ? String.valueOf(scope) : HOLD + caseId;
    }
}
