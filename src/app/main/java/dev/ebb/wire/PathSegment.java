package dev.ebb.wire;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Names as one segment of a path. Browsers, curl and proxies take the segments {@code .} and {@code ..}, however
 * encoded, for steps to another path. A name of one or two dots is therefore prefixed with {@code ~}, and a name that
 * looks like the result gets one more. Stateless.
 */
public final class PathSegment {

    private static final Pattern DOTS = Pattern.compile("~*\\.{1,2}");

    private PathSegment() {}

    /**
     * Returns the name as a segment, percent-encoded; dots are encoded too, since a server may decode a path before it
     * looks for steps.
     */
    public static String of(String name) {
        String segment = isDots(name) ? "~" + name : name;
        return URLEncoder.encode(segment, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace(".", "%2E")
                .replace("%7E", "~");
    }

    /**
     * Returns the name in a segment that is already percent-decoded. Dots without a prefix are accepted too, where they
     * get through.
     */
    public static String name(String segment) {
        return segment.startsWith("~") && isDots(segment) ? segment.substring(1) : segment;
    }

    private static boolean isDots(String text) {
        return text.endsWith(".") && DOTS.matcher(text).matches();
    }
}
