package dev.ebb.sink;

/** Texts in JSON as a text of PostgreSQL can hold them: no control character is left. Stateless. */
final class JsonText {

    /** Longest text, in characters: the names of Ebb are shorter, and an entry for a foreign one is cut. */
    private static final int MOST = 2000;

    private JsonText() {}

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().limit(MOST).forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
            } else if (Character.isISOControl(c)) {
                quoted.append("\\u%04x".formatted(c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }
}
