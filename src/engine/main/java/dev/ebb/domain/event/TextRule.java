package dev.ebb.domain.event;

import dev.ebb.domain.Unicode;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the texts of an event that are no names, so that SQL takes every row with all its indexes (O-24). Stateless.
 */
final class TextRule {

    /**
     * Maximum length of a type, a correlation id or a content type, in bytes of UTF-8. An index of PostgreSQL takes 2704
     * bytes a row, so an index that an operator makes over any two of these texts takes them as well.
     */
    public static final int MAX_BYTES = 1024;

    private TextRule() {}

    /** Returns the fault of the text of that field, as a sentence; null if there is none. */
    static @Nullable String problem(String field, @Nullable String text) {
        if (text == null) {
            return null;
        }
        long bytes = EventSize.utf8(text);
        if (bytes > MAX_BYTES) {
            return field + " must not be longer than " + MAX_BYTES + " bytes, has " + bytes;
        }
        String problem = problemOfCharacters(text);
        return problem == null ? null : field + " " + problem;
    }

    /**
     * Returns the fault of the characters of a text, as the end of a sentence; null if there is none. No text of
     * PostgreSQL can hold these characters.
     */
    static @Nullable String problemOfCharacters(String text) {
        if (text.indexOf(0) >= 0) {
            return "must not contain U+0000";
        }
        return Unicode.isValid(text) ? null : "must be valid Unicode";
    }
}
