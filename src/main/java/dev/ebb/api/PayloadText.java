package dev.ebb.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A payload inside JSON: an object or array as it stands, another text as a string, other bytes in Base64. What is
 * shown can be sent again and gives the same bytes.
 *
 * @param json JSON, ready to be written; null if the payload is empty or no text
 * @param base64 the bytes of a payload that is no text
 */
record PayloadText(@Nullable String json, @Nullable String base64) {

    private static final PayloadText NONE = new PayloadText(null, null);

    static PayloadText of(@Nullable String contentType, byte[] payload) {
        if (payload.length == 0) {
            return NONE;
        }
        String text = utf8(payload);
        if (text == null) {
            return new PayloadText(null, Base64.getEncoder().encodeToString(payload));
        }
        String quoted = new String(ApiJson.bytes(text), StandardCharsets.UTF_8);
        return new PayloadText(isStructure(contentType, payload) ? text : quoted, null);
    }

    private static boolean isStructure(@Nullable String contentType, byte[] payload) {
        if (!"application/json".equals(contentType) || (payload[0] != '{' && payload[0] != '[')) {
            return false;
        }
        JsonNode node = ApiJson.parse(payload);
        return node != null && node.isContainerNode();
    }

    private static @Nullable String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
