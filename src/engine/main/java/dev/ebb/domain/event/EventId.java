package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * Identifies an event within its stream; the rules are those of a {@link StreamName}.
 *
 * @param value the id as it was written; ids are compared exactly
 */
public record EventId(String value) {

    /** @throws IllegalArgumentException if the id breaks the rules; the message says which one */
    public EventId {
        NameRule.require("event id", value);
    }

    /** Reason why the text is not an event id, as the end of a sentence; null if it is one. */
    public static @Nullable String problem(@Nullable String value) {
        return NameRule.problem(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
