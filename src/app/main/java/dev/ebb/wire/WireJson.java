package dev.ebb.wire;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ebb.serde.text.OutsideJson;
import dev.ebb.serde.text.ValueJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts records of the REST interface to JSON and back. Times are ISO-8601 in UTC, always with milliseconds. Lists
 * and maps that are missing or null are read as empty ones. Thread-safe.
 */
public final class WireJson {

    /** The field of an answer with the moments that were understood, by the names of parameters and fields (O-22). */
    public static final String MOMENTS = "moments";

    /** The field of an answer with sentences about names that match nothing (O-23). */
    public static final String HINTS = "hints";

    private static final ObjectMapper MAPPER = JsonMapper.builder(OutsideJson.factory())
            .addModule(ValueJson.module())
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .withConfigOverride(List.class, list -> list.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .withConfigOverride(Map.class, map -> map.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .build();

    private static final ObjectReader LENIENT =
            MAPPER.reader().without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final ObjectReader STRICT = MAPPER.reader().with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private WireJson() {}

    /** Returns the record as UTF-8. */
    public static byte[] bytes(Object view) {
        try {
            return MAPPER.writeValueAsBytes(view);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the record as a tree. */
    public static JsonNode tree(Object view) {
        return MAPPER.valueToTree(view);
    }

    /**
     * Returns the record that another process wrote as UTF-8, or null if the text is not such a record. Parses
     * characters rather than bytes: from bytes, Jackson rejects a field name with an escaped character beyond 16 bits,
     * although Jackson itself writes such names.
     */
    public static <T> @Nullable T read(byte[] text, Class<T> type) {
        try {
            return LENIENT.forType(type).readValue(new String(text, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Returns the record in the tree.
     *
     * @throws JsonProcessingException if a field has another type than in the record
     */
    public static <T> T read(JsonNode tree, Class<T> type) throws JsonProcessingException {
        return LENIENT.treeToValue(tree, type);
    }

    /** Parses the text into a tree. */
    public static JsonNode parse(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }

    /**
     * Parses the text into a tree.
     *
     * @throws JsonProcessingException also if an object contains a field twice, since one value would be lost
     */
    public static JsonNode parseStrictly(String text) throws JsonProcessingException {
        return STRICT.readTree(text);
    }

    /** Returns the time of these epoch milliseconds; null stays null. */
    public static @Nullable Instant time(@Nullable Long ms) {
        return ms == null ? null : Instant.ofEpochMilli(ms);
    }
}
