package dev.ebb.serde.mirror;

import dev.ebb.serde.text.UtcText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing array of JSON in UTF-8. Only characters for which JSON demands it are escaped; U+0000 and half a surrogate
 * pair, which no PostgreSQL text can hold, become U+FFFD. Empty again after {@link #take()}; not thread-safe.
 */
final class JsonBytes {

    private static final int EXPECTED_BYTES = 1024;
    private static final int MAX_UTF8_BYTES = 3;
    private static final int ESCAPE_BYTES = 6;
    private static final char REPLACEMENT = '\uFFFD';
    private static final byte[] HEX = ascii("0123456789abcdef");

    private byte[] bytes = new byte[EXPECTED_BYTES];
    private int length;

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    boolean isEmpty() {
        return length == 0;
    }

    boolean endsWith(char ascii) {
        return length > 0 && bytes[length - 1] == ascii;
    }

    void clear() {
        length = 0;
    }

    /** A copy of the bytes written so far. */
    byte[] take() {
        byte[] written = Arrays.copyOf(bytes, length);
        length = 0;
        return written;
    }

    JsonBytes append(char ascii) {
        ensure(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    JsonBytes append(byte[] more) {
        ensure(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
        return this;
    }

    JsonBytes appendTime(long epochMs) {
        ensure(UtcText.LENGTH);
        UtcText.write(epochMs, bytes, length);
        length += UtcText.LENGTH;
        return this;
    }

    /** Appends the content of another one as a text, and empties that one. */
    JsonBytes quote(JsonBytes json) {
        append('"');
        ensure(2 * json.length);
        for (int i = 0; i < json.length; i++) {
            byte b = json.bytes[i];
            if (b == '"' || b == '\\') {
                bytes[length++] = '\\';
            }
            bytes[length++] = b;
        }
        json.length = 0;
        return append('"');
    }

    JsonBytes quote(String text) {
        append('"');
        ensure(text.length() * MAX_UTF8_BYTES);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                appendAscii(c, text.length() - i);
            } else if (isPair(text, i)) {
                appendFourBytes(text.codePointAt(i++));
            } else {
                appendWide(Character.isSurrogate(c) ? REPLACEMENT : c);
            }
        }
        return append('"');
    }

    private void appendAscii(char c, int charsLeft) {
        if (c == 0) {
            appendWide(REPLACEMENT);
        } else if (c >= ' ' && c != '"' && c != '\\') {
            bytes[length++] = (byte) c;
        } else {
            // An escape takes more bytes than were set aside for each character.
            ensure(ESCAPE_BYTES + charsLeft * MAX_UTF8_BYTES);
            appendEscaped(c);
        }
    }

    private void appendEscaped(char c) {
        bytes[length++] = '\\';
        switch (c) {
            case '"', '\\' -> bytes[length++] = (byte) c;
            case '\n' -> bytes[length++] = 'n';
            case '\r' -> bytes[length++] = 'r';
            case '\t' -> bytes[length++] = 't';
            default -> append(new byte[] {'u', '0', '0', HEX[c >> 4], HEX[c & 0xF]});
        }
    }

    private static boolean isPair(String text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }

    private void appendWide(char c) {
        if (c < 0x800) {
            bytes[length++] = (byte) (0xC0 | (c >> 6));
        } else {
            bytes[length++] = (byte) (0xE0 | (c >> 12));
            bytes[length++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        }
        bytes[length++] = (byte) (0x80 | (c & 0x3F));
    }

    private void appendFourBytes(int codePoint) {
        bytes[length++] = (byte) (0xF0 | (codePoint >> 18));
        bytes[length++] = (byte) (0x80 | ((codePoint >> 12) & 0x3F));
        bytes[length++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
        bytes[length++] = (byte) (0x80 | (codePoint & 0x3F));
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
