package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/** Rule for all names: 1 to 255 bytes of UTF-8, no control characters, no surrounding blanks. */
public final class NameRule {

    private static final int MAX_BYTES = 255;

    private NameRule() {}

    /** Returns the fault of the name, as the end of a sentence; null if there is none. */
    public static @Nullable String problem(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            return "must not be empty";
        }
        if (isBlank(name.codePointAt(0)) || isBlank(name.codePointBefore(name.length()))) {
            return "must not begin or end with a blank";
        }
        return problemOfCharacters(name);
    }

    /** @param problem the fault of the name; null if there is none */
    static void require(String what, @Nullable String problem) {
        if (problem != null) {
            throw new IllegalArgumentException(what + " " + problem);
        }
    }

    private static @Nullable String problemOfCharacters(String name) {
        int bytes = 0;
        for (int i = 0; i < name.length(); ) {
            int codePoint = name.codePointAt(i);
            if (Character.isISOControl(codePoint)) {
                return "must not contain control characters";
            }
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                return "must be valid Unicode";
            }
            bytes += utf8Length(codePoint);
            i += Character.charCount(codePoint);
        }
        return bytes > MAX_BYTES ? "must not be longer than " + MAX_BYTES + " bytes, has " + bytes : null;
    }

    private static boolean isBlank(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }

    private static int utf8Length(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x10000 ? 3 : 4;
    }
}
