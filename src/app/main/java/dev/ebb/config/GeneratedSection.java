package dev.ebb.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A generated part of a document, between {@code <!-- name:begin -->} and {@code <!-- name:end -->}.
 *
 * @param name the name of the part in its markers
 */
public record GeneratedSection(String name) {

    /** Returns the text between the markers of the document. */
    public String read(Path document) throws IOException {
        Matcher matcher = matcher(Files.readString(document), document);
        return matcher.group("text");
    }

    /** Replaces the text between the markers of the document, and leaves the rest unchanged. */
    public void write(Path document, String text) throws IOException {
        String before = Files.readString(document);
        Matcher matcher = matcher(before, document);
        Files.writeString(
                document, before.substring(0, matcher.start("text")) + text + before.substring(matcher.end("text")));
    }

    private Matcher matcher(String content, Path document) {
        Matcher matcher = Pattern.compile(
                        "<!-- " + name + ":begin -->\n(?<text>.*?)<!-- " + name + ":end -->", Pattern.DOTALL)
                .matcher(content);
        if (!matcher.find()) {
            throw new IllegalArgumentException(document + " has no section " + name);
        }
        return matcher;
    }
}
