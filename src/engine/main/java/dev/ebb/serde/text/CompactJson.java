package dev.ebb.serde.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ebb.domain.Unicode;
import java.io.IOException;

/**
 * Writes JSON without blanks, with keys in their order, numbers as they were written and only the escapes that JSON
 * requires. Stateless.
 */
public final class CompactJson {

    private CompactJson() {}

    /** Writes the value at the position of the parser, and leaves the parser at the last token of that value. */
    public static String copy(JsonParser parser) throws IOException {
        StringBuilder out = new StringBuilder();
        int depth = 0;
        boolean needsComma = false;
        do {
            JsonToken token = parser.currentToken();
            if (needsComma && !token.isStructEnd()) {
                out.append(',');
            }
            append(out, parser, token);
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            needsComma = !token.isStructStart() && token != JsonToken.FIELD_NAME;
        } while (depth > 0 && parser.nextToken() != null);
        return out.toString();
    }

    private static void append(StringBuilder out, JsonParser parser, JsonToken token) throws IOException {
        switch (token) {
            case FIELD_NAME -> {
                quote(out, parser.currentName());
                out.append(':');
            }
            case VALUE_STRING -> quote(out, parser.getText());
            // The text of a number is kept as written; every number type would change some of them.
            default -> out.append(parser.getText());
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            if (Unicode.isLoneSurrogate(text, i)) {
                appendEscaped(out, text.charAt(i));
            } else {
                appendCharacter(out, text.charAt(i));
            }
        }
        out.append('"');
    }

    private static void appendCharacter(StringBuilder out, char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (c < ' ') {
                    appendEscaped(out, c);
                } else {
                    out.append(c);
                }
            }
        }
    }

    private static void appendEscaped(StringBuilder out, char c) {
        out.append(String.format("\\u%04x", (int) c));
    }
}
