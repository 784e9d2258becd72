package dev.ebb.cli.client;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.wire.PathSegment;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path with its parameters; every part is encoded, so that names may contain any character. */
public final class RestPath {

    private final StringBuilder path = new StringBuilder();
    private final List<String> parameters = new ArrayList<>();

    private RestPath() {}

    /**
     * Returns the path of these segments.
     *
     * @throws CommandFailure if a segment is empty: the path would then name something else, such as the list
     */
    public static RestPath of(String... segments) {
        RestPath path = new RestPath();
        for (String segment : segments) {
            if (segment.isEmpty()) {
                throw CommandFailure.usage("a name is empty; every name has 1 to 255 bytes");
            }
            path.path.append('/').append(plain(PathSegment.of(segment)));
        }
        return path;
    }

    /** Adds a parameter, unless its value is null. */
    public RestPath with(String name, @Nullable Object value) {
        if (value != null) {
            parameters.add(name + "=" + encode(value.toString()));
        }
        return this;
    }

    /** Adds a flag if it is set. */
    public RestPath withFlag(String name, boolean isSet) {
        return with(name, isSet ? Boolean.TRUE : null);
    }

    private static String encode(String text) {
        return plain(URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace(".", "%2E"));
    }

    /** Leaves scopes readable. */
    private static String plain(String encoded) {
        return encoded.replace("%3A", ":").replace("*", "%2A");
    }

    @Override
    public String toString() {
        return path + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters));
    }
}
