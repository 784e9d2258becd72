package dev.ebb.serde.text;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.ebb.domain.command.Outcome;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;

/**
 * The JSON of values that have one form in the state, in messages and in REST: times are ISO-8601 in UTC, always with
 * milliseconds, and an {@link Outcome} names its kind in its first field.
 */
public final class ValueJson {

    /** Field that names the kind of an outcome. */
    public static final String KIND = "kind";

    private ValueJson() {}

    /** Defined here because the domain does not know JSON. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = KIND)
    private interface Kind {}

    public static SimpleModule module() {
        SimpleModule module = new SimpleModule()
                .addSerializer(Instant.class, new InstantSerializer())
                .addDeserializer(Instant.class, new InstantDeserializer())
                .setMixInAnnotation(Outcome.class, Kind.class);
        Arrays.stream(Outcome.class.getPermittedSubclasses())
                .forEach(type -> module.registerSubtypes(new NamedType(type, kindOf(type))));
        return module;
    }

    /** Returns the name of a kind of outcome. */
    public static String kindOf(Class<?> type) {
        return type.getSimpleName().toLowerCase(Locale.ROOT);
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
