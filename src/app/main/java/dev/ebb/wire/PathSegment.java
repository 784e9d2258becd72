package dev.ebb.wire;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Names as one segment of a path. Browsers, curl and proxies take the segments {@code .} and {@code ..}, however they are
 * encoded, for steps to another path. So a name of one or two dots has a {@code ~} in front, and a name that would look like
 * that has one more. Stateless.
 */
public final class PathSegment {

    private static final Pattern DOTS = Pattern.compile("~*\\.{1,2}");

    private PathSegment() {}

    /** The name as a segment, percent-encoded; dots too, since a server may decode before it looks for steps. */
    public static String of(String name) {
        String segment = isDots(name) ? "~" + name : name;
        return URLEncoder.encode(segment, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace(".", "%2E")
                .replace("%7E", "~");
    }

    /** The name of a segment that is no longer percent-encoded. Dots alone are taken too, where they come through. */
    public static String name(String segment) {
        return segment.startsWith("~") && isDots(segment) ? segment.substring(1) : segment;
    }

    private static boolean isDots(String text) {
        return text.endsWith(".") && DOTS.matcher(text).matches();
    }
}
