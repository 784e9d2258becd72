package dev.ebb.serde.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;

/** The text of a file of policies, in YAML or JSON, with the limits within which the libraries may read it. */
record PolicyFileText(String text) {

    /**
     * Maximum length of a line in characters: the reader of YAML copies the rest of a line repeatedly, so a line costs
     * the square of its length.
     */
    private static final int MAX_LINE = 65_536;

    static final String LONG_LINE = "has a line of more than " + MAX_LINE + " characters; break it, or write JSON";

    private static final int MAX_CHARACTERS = 64 << 20;

    /** Maximum depth of nesting; a file needs four levels. At each token, the reader of YAML checks all open levels. */
    private static final int MAX_DEPTH = 16;

    private static final StreamReadConstraints CONSTRAINTS =
            StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build();

    /** The part of a message about the library's own settings; the line is named anyway. */
    private static final Pattern SOURCE = Pattern.compile(" \\(start marker at [^)]*\\)[^)]*\\)");

    private boolean isJson() {
        return text.stripLeading().startsWith("{");
    }

    /**
     * Returns the first line that is too long, from 1; 0 if there is none. JSON may be in one line, which costs no
     * more.
     */
    int longLine() {
        int line = 1;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i - start > MAX_LINE) {
                return isJson() ? 0 : line;
            }
            if (i < text.length() && text.charAt(i) == '\n') {
                line++;
                start = i + 1;
            }
        }
        return 0;
    }

    JsonParser parser() throws IOException {
        return isJson()
                ? OutsideJson.builder()
                        .streamReadConstraints(CONSTRAINTS)
                        .build()
                        .createParser(text)
                : yaml().createParser(text);
    }

    private static YAMLFactory yaml() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CHARACTERS);
        return YAMLFactory.builder()
                .loaderOptions(options)
                .streamReadConstraints(CONSTRAINTS)
                .build();
    }

    /** Returns the line of the token, from 1. */
    static int line(JsonParser parser) {
        return Math.max(1, parser.currentTokenLocation().getLineNr());
    }

    /** Returns the line of a failure, from 1. */
    static int line(JsonProcessingException e) {
        return e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
    }

    /** Returns a failure in words for people. */
    static String explain(JsonProcessingException e) {
        String message = SOURCE.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        String summary = message.lines()
                .limit(3)
                .map(String::strip)
                .reduce((a, b) -> a + ", " + b)
                .orElse("");
        return message.contains("alias") ? summary + " (quote the scope: \"*\")" : summary;
    }
}
