package dev.ebb.api.http;

import dev.ebb.api.connection.TimedEndPoint;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads bodies of requests, up to a limit and of the media types that the route takes. */
public record RequestBody(int maxBytes) {

    private static final Set<String> JSON = Set.of("application/json", "application/merge-patch+json");
    private static final Set<String> YAML =
            Set.of("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "application/json");

    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s;\"]*)", Pattern.CASE_INSENSITIVE);

    private static final String READ = "ebb.body";

    /** Some editors begin a file with this mark; files of events and records may have it as well. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /** Returns a body that should be JSON. */
    public String jsonText(Context ctx) {
        requireMediaType(ctx, JSON, "application/json");
        return text(ctx);
    }

    /** Returns a body that should be JSON; empty if there is none. */
    public String optionalJsonText(Context ctx) {
        int length = ctx.contentLength();
        boolean isEmpty = length == 0 || (length < 0 && ctx.header("Transfer-Encoding") == null);
        return isEmpty ? "" : jsonText(ctx);
    }

    /** Returns a body of YAML, of which JSON is a part. */
    public String yamlText(Context ctx) {
        requireMediaType(ctx, YAML, "application/yaml or application/json");
        return text(ctx);
    }

    private String text(Context ctx) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(ctx)))
                    .toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        } catch (CharacterCodingException e) {
            throw ProblemException.badRequest("the body is not UTF-8");
        }
    }

    /** Returns the body if it has been read, for passing it on; null if it has not. */
    public static byte @Nullable [] read(Context ctx) {
        return ctx.attribute(READ);
    }

    /**
     * Returns the body, and keeps it for a second use: a route may run once more after another instance could not
     * answer, and a body can be read only once.
     */
    private byte[] bytes(Context ctx) {
        byte[] read = read(ctx);
        if (read != null) {
            return read;
        }
        requireSize(ctx.req().getContentLengthLong());
        TimedEndPoint connection = TimedEndPoint.of(ctx);
        connection.beginBody();
        try {
            byte[] bytes = ctx.bodyInputStream().readNBytes(maxBytes + 1);
            connection.endBody();
            ctx.attribute(READ, bytes);
            requireSize(bytes.length);
            return bytes;
        } catch (IOException e) {
            throw ProblemException.badRequest("the body ended before it was complete");
        }
    }

    private void requireSize(long bytes) {
        if (bytes > maxBytes) {
            throw new ProblemException(
                    ProblemKind.TOO_LARGE, "the body is bigger than " + maxBytes + " bytes; send it in parts");
        }
    }

    private static void requireMediaType(Context ctx, Set<String> accepted, String name) {
        String header = ctx.header("Content-Type");
        String given = mediaType(header);
        if (given == null || !accepted.contains(given)) {
            String what = given == null ? "there is no Content-Type" : "the Content-Type is " + given;
            throw unsupported(what, name);
        }
        Matcher charset = CHARSET.matcher(String.valueOf(header));
        if (charset.find() && !charset.group(1).equalsIgnoreCase("utf-8")) {
            throw unsupported("the charset is " + charset.group(1) + ", and must be utf-8", name);
        }
    }

    private static ProblemException unsupported(String what, String name) {
        return new ProblemException(ProblemKind.UNSUPPORTED_MEDIA_TYPE, what + "; send 'Content-Type: " + name + "'");
    }

    private static @Nullable String mediaType(@Nullable String header) {
        if (header == null) {
            return null;
        }
        int end = header.indexOf(';');
        return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }
}
