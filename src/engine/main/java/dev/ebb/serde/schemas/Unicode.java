package dev.ebb.serde.schemas;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What Java's texts allow and UTF-8 does not, and the other way round. Stateless. */
public final class Unicode {

    private Unicode() {}

    /** Whether half of a pair stands here without the other half, for which UTF-8 has no bytes. */
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

    /** The text of these bytes; empty if they are not UTF-8. */
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
