package dev.ebb.serde.mirror;

/**
 * Texts in UTF-8 as PostgreSQL accepts them: U+0000 and half a surrogate pair, which no text of PostgreSQL can hold,
 * become U+FFFD. Stateless.
 */
final class SqlText {

    /** Maximum number of bytes of one char; a pair of chars takes four together. */
    static final int MAX_BYTES_OF_CHAR = 3;

    private static final char REPLACEMENT = '\uFFFD';

    private SqlText() {}

    /** Returns the number of bytes that {@link #write} writes. */
    static int length(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80 && c < 0x800) {
                bytes++;
            } else if (c >= 0x800 || c == 0) {
                // Two more for a char, and two more for both chars of a pair.
                bytes += 2;
                i += isPair(text, i) ? 1 : 0;
            }
        }
        return bytes;
    }

    /** Writes the text at the given position, where there must be room, and returns the position after it. */
    static int write(String text, byte[] target, int at) {
        int end = at;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80 && c != 0) {
                target[end++] = (byte) c;
            } else if (isPair(text, i)) {
                end = writePair(text.codePointAt(i++), target, end);
            } else {
                end = writeWide(c, target, end);
            }
        }
        return end;
    }

    /** Returns true if the char at the index and the next one are a surrogate pair. */
    static boolean isPair(String text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }

    /** Writes a char that is not ASCII and not half of a pair, or its replacement. */
    static int writeWide(char original, byte[] target, int at) {
        char c = original == 0 || Character.isSurrogate(original) ? REPLACEMENT : original;
        int end = at;
        if (c < 0x800) {
            target[end++] = (byte) (0xC0 | (c >> 6));
        } else {
            target[end++] = (byte) (0xE0 | (c >> 12));
            target[end++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        }
        target[end++] = (byte) (0x80 | (c & 0x3F));
        return end;
    }

    static int writePair(int codePoint, byte[] target, int at) {
        target[at] = (byte) (0xF0 | (codePoint >> 18));
        target[at + 1] = (byte) (0x80 | ((codePoint >> 12) & 0x3F));
        target[at + 2] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
        target[at + 3] = (byte) (0x80 | (codePoint & 0x3F));
        return at + 4;
    }
}
