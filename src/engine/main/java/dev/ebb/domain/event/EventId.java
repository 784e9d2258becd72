package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * The id of an event within its stream; it follows the rules of a {@link StreamName}.
 *
 * @param value the id as written; ids are compared exactly
 */
public record EventId(String value) {

    /** @throws IllegalArgumentException if the id breaks the rules; the message names the broken rule */
    public EventId {
        NameRule.require("event id", problem(value));
    }

    /** Returns the reason why the text is not an event id, as the end of a sentence; null if the text is valid. */
    public static @Nullable String problem(@Nullable String value) {
        return NameRule.problem(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
