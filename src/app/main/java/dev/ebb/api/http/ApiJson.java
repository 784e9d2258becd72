package dev.ebb.api.http;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.wire.WireJson;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** JSON in requests and answers; {@link WireJson} says how it is written. */
public final class ApiJson {

    public static final String MEDIA_TYPE = "application/json";

    private ApiJson() {}

    public static byte[] bytes(Object view) {
        return WireJson.bytes(view);
    }

    /**
     * Reads the answer of another instance, possibly of another version; returns null if it cannot be read as this
     * type.
     */
    public static <T> @Nullable T read(byte[] text, Class<T> type) {
        return WireJson.read(text, type);
    }

    /** Returns the JSON of the text, or null if the text is no JSON. */
    public static @Nullable JsonNode parse(String text) {
        try {
            return WireJson.parse(text);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    /**
     * Returns the JSON of the text, or null if the text is no JSON. A field named twice is an error: one value would be
     * lost.
     */
    public static @Nullable JsonNode parseStrictly(String text) {
        try {
            return WireJson.parseStrictly(text);
        } catch (JsonParseException e) {
            String message = String.valueOf(e.getOriginalMessage());
            if (message.startsWith("Duplicate field")) {
                throw ProblemException.badRequest("the body names a field twice: " + message);
            }
            return null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    public static JsonNode tree(Object view) {
        return WireJson.tree(view);
    }

    /** Answers with the record, and with the moments that the request named, as they were understood. */
    public static void answer(Context ctx, Object view) {
        ctx.contentType(MEDIA_TYPE).result(Moments.isNamed(ctx) ? withMoments(ctx, view) : bytes(view));
    }

    private static byte[] withMoments(Context ctx, Object view) {
        JsonNode tree = tree(view);
        if (tree instanceof ObjectNode object) {
            Moments.addTo(object, ctx);
        }
        return bytes(tree);
    }
}
