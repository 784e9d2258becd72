package dev.ebb.domain;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Checks for texts that Java allows and UTF-8 does not, and vice versa. Stateless. */
public final class Unicode {

    private Unicode() {}

    /**
     * Returns true if the char at the index is half of a surrogate pair without the other half; UTF-8 has no bytes for
     * it.
     */
    public static boolean isLoneSurrogate(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(c) && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }

    public static boolean isValid(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isLoneSurrogate(text, i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the text of these bytes; empty if they are not UTF-8. */
    public static Optional<String> decode(byte[] bytes, int start, int length) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, start, length);
            return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(buffer).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
