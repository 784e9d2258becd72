package dev.ebb.domain.source;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text with paths in braces, such as {@code orders/{value.customerId}} (F-2). There is nothing else: no expressions,
 * and no way to write a brace. Immutable.
 *
 * @param texts the texts before, between and after the paths; one more than there are paths
 * @param paths the paths, in their order
 */
public record SourceTemplate(List<String> texts, List<SourcePath> paths) {

    public SourceTemplate {
        texts = List.copyOf(texts);
        paths = List.copyOf(paths);
        if (texts.size() != paths.size() + 1) {
            throw new IllegalArgumentException("a template has one text more than it has paths");
        }
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException if the text is no template; the message is the end of a sentence
     */
    public static SourceTemplate parse(String text) {
        List<String> texts = new ArrayList<>();
        List<SourcePath> paths = new ArrayList<>();
        int start = 0;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', start)) {
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw new IllegalArgumentException("'" + text + "' has a '{' without a '}'");
            }
            texts.add(plain(text, start, open));
            paths.add(SourcePath.parse(text.substring(open + 1, close)));
            start = close + 1;
        }
        texts.add(plain(text, start, text.length()));
        return new SourceTemplate(texts, paths);
    }

    private static String plain(String text, int start, int end) {
        String plain = text.substring(start, end);
        if (plain.indexOf('}') >= 0) {
            throw new IllegalArgumentException("'" + text + "' has a '}' without a '{'");
        }
        return plain;
    }

    /** Returns true if it has no paths. */
    public boolean isFixed() {
        return paths.isEmpty();
    }

    /** Returns the text with which everything begins that the template makes. */
    public String prefix() {
        return texts.get(0);
    }

    /**
     * Returns the text for a record; null if one of the paths leads to nothing.
     *
     * @throws SourceFaultException if a path leads to something that is not one text
     */
    @Nullable
    String text(SourceContent content) {
        if (isFixed()) {
            return prefix();
        }
        StringBuilder text = new StringBuilder(prefix());
        for (int i = 0; i < paths.size(); i++) {
            String part = PlainText.at(paths.get(i), content);
            if (part == null) {
                return null;
            }
            text.append(part).append(texts.get(i + 1));
        }
        return text.toString();
    }

    /** Returns the first path that leads to nothing; null if all lead to something. */
    @Nullable
    SourcePath missing(SourceContent content) {
        for (SourcePath path : paths) {
            if (path.find(content) == null) {
                return path;
            }
        }
        return null;
    }

    /** Returns the first path that leads to an empty text; null if there is none. */
    @Nullable
    SourcePath empty(SourceContent content) {
        for (SourcePath path : paths) {
            if ("".equals(path.find(content))) {
                return path;
            }
        }
        return null;
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(prefix());
        for (int i = 0; i < paths.size(); i++) {
            text.append('{').append(paths.get(i)).append('}').append(texts.get(i + 1));
        }
        return text.toString();
    }
}
