package dev.ebb.api.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.ebb.serde.text.EventJson;
import dev.ebb.serde.text.OutsideJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** JSON as the REST interface writes it: times as ISO-8601 in UTC, always with milliseconds. */
public final class ApiJson {

    public static final String MEDIA_TYPE = "application/json";

    private static final ObjectMapper MAPPER = JsonMapper.builder(OutsideJson.factory())
            .addModule(new SimpleModule()
                    .addSerializer(Instant.class, new InstantSerializer())
                    .addDeserializer(Instant.class, new InstantDeserializer()))
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final ObjectReader LENIENT =
            MAPPER.reader().without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final ObjectReader STRICT = MAPPER.reader().with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private ApiJson() {}

    public static byte[] bytes(Object view) {
        try {
            return MAPPER.writeValueAsBytes(view);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Answer of another instance, or null if it cannot be read as one. That instance may be of another version: fields
     * that are not known are passed over. Read as a text: from bytes, Jackson does not take a name of a field in which
     * a character beyond 16 bits is escaped, which is how it writes one.
     */
    public static <T> @Nullable T read(byte[] text, Class<T> type) {
        try {
            return LENIENT.forType(type).readValue(new String(text, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return null;
        }
    }

    /** The JSON of the text, or null if it is none. */
    public static @Nullable JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException e) {
            return null;
        }
    }

    /** The JSON of the text, or null if it is none. A field named twice is an error: one value would be lost. */
    public static @Nullable JsonNode parseStrictly(String text) {
        try {
            return STRICT.readTree(text);
        } catch (JsonParseException e) {
            String message = String.valueOf(e.getOriginalMessage());
            if (message.startsWith("Duplicate field")) {
                throw ProblemException.badRequest("the body names a field twice: " + message);
            }
            return null;
        } catch (IOException e) {
            return null;
        }
    }

    public static JsonNode tree(Object view) {
        return MAPPER.valueToTree(view);
    }

    public static void answer(Context ctx, Object view) {
        ctx.contentType(MEDIA_TYPE).result(bytes(view));
    }

    /** The time of epoch milliseconds; null stays null. */
    public static @Nullable Instant time(@Nullable Long ms) {
        return ms == null ? null : Instant.ofEpochMilli(ms);
    }

    private static final class InstantSerializer extends StdSerializer<Instant> {

        private static final long serialVersionUID = 1;

        InstantSerializer() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant time, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(EventJson.time(time.toEpochMilli()));
        }
    }

    private static final class InstantDeserializer extends StdDeserializer<Instant> {

        private static final long serialVersionUID = 1;

        InstantDeserializer() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
            try {
                return Instant.parse(in.getText());
            } catch (DateTimeParseException e) {
                throw context.weirdStringException(in.getText(), Instant.class, "is no time");
            }
        }
    }
}
