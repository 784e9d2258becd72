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
