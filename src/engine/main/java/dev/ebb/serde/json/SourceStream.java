package dev.ebb.serde.json;

import dev.ebb.domain.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a CloudEvent, named after its source and subject. CloudEvents are equal if source and id are, so two
 * different pairs of source and subject never name one stream:
 *
 * <ul>
 *   <li>A subject becomes one segment at the end; without a subject, a path of several segments ends with a slash.
 *   <li>A source that is a path, {@code https://} with the name of a domain, or a name with a colon such as a URN, is
 *       written without its leading slash or scheme. Any other source is written in the same way, with a mark at the
 *       end that is unique to the source.
 * </ul>
 *
 * Stateless.
 */
final class SourceStream {

    private static final String SCHEME = "://";
    private static final String SECURE = "https://";
    private static final char MARK = '~';
    private static final int MARK_DIGITS = 16;

    private SourceStream() {}

    /**
     * Returns the name of the stream.
     *
     * @param source not empty
     * @param subject null or empty for none
     */
    static String of(String source, @Nullable String subject) {
        int scheme = source.indexOf(SCHEME);
        String path = trimmed(scheme < 0 ? source : source.substring(scheme + SCHEME.length()));
        String mark = isPlain(source, path) ? "" : MARK + hash(source);
        if (subject == null || subject.isEmpty()) {
            return path + (path.contains("/") ? "/" : "") + mark;
        }
        return path + (path.isEmpty() ? "" : "/") + segment(subject) + mark;
    }

    /**
     * Returns true if the path alone identifies the source: the first segment of each kind has a form that no other
     * kind has.
     */
    private static boolean isPlain(String source, String path) {
        boolean isClean = !path.isEmpty() && path.indexOf(MARK) < 0 && !path.contains("//");
        String first = path.substring(0, path.indexOf('/') < 0 ? path.length() : path.indexOf('/'));
        boolean hasColon = first.indexOf(':') >= 0;
        boolean hasDot = first.indexOf('.') >= 0;
        boolean isPath = source.equals("/" + path) && !hasColon && !hasDot;
        boolean isOfDomain = source.equals(SECURE + path) && !hasColon && hasDot;
        boolean isName = source.equals(path) && hasColon;
        return isClean && (isPath || isOfDomain || isName);
    }

    private static String segment(String subject) {
        return subject.replace("%", "%25").replace("/", "%2F").replace("~", "%7E");
    }

    private static String hash(String source) {
        byte[] hash = Sha256.of(source.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash).substring(0, MARK_DIGITS);
    }

    private static String trimmed(String path) {
        int start = 0;
        int end = path.length();
        while (start < end && path.charAt(start) == '/') {
            start++;
        }
        while (end > start && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(start, end);
    }
}
