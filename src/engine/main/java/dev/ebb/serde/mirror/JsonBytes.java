package dev.ebb.serde.mirror;

import dev.ebb.serde.text.UtcText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing array of JSON in UTF-8. Only characters for which JSON requires it are escaped; characters that no
 * PostgreSQL text can hold are replaced ({@link SqlText}). Empty again after {@link #take()}; not thread-safe.
 */
final class JsonBytes {

    private static final int EXPECTED_BYTES = 1024;
    private static final int ESCAPE_BYTES = 6;
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

    /** Returns a copy of the bytes written so far, and clears the array. */
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

    /** Appends the content of another array as a text, and clears the other array. */
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
        ensure(text.length() * SqlText.MAX_BYTES_OF_CHAR);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                appendAscii(c, text.length() - i);
            } else if (SqlText.isPair(text, i)) {
                length = SqlText.writePair(text.codePointAt(i++), bytes, length);
            } else {
                length = SqlText.writeWide(c, bytes, length);
            }
        }
        return append('"');
    }

    private void appendAscii(char c, int charsLeft) {
        if (c == 0) {
            length = SqlText.writeWide(c, bytes, length);
        } else if (c >= ' ' && c != '"' && c != '\\') {
            bytes[length++] = (byte) c;
        } else {
            // An escape takes more bytes than are reserved for each character.
            ensure(ESCAPE_BYTES + charsLeft * SqlText.MAX_BYTES_OF_CHAR);
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

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
