package dev.ebb.serde.text;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import dev.ebb.domain.command.Command;
import java.util.List;
import java.util.Map;

/**
 * Java records as JSON and back, for the state of tasks and the messages between them. Unknown fields are ignored, and
 * maps that another version did not write are empty, so that instances of two versions understand each other. A missing
 * list stays null, which differs in meaning from an empty list. Stateless.
 */
public final class JsonState {

    private static final JsonMapper JSON = JsonMapper.builder(OutsideJson.ofStored())
            .addModule(ValueJson.module())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(MapperFeature.REQUIRE_TYPE_ID_FOR_SUBTYPES)
            .withConfigOverride(Map.class, map -> map.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .visibility(PropertyAccessor.GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .addMixIn(Command.class, Named.class)
            .registerSubtypes(Command.Kinds.LIST.stream()
                    .map(kind -> new NamedType(kind.type(), kind.verb()))
                    .toArray(NamedType[]::new))
            .build();

    /**
     * Reads texts from outside strictly: an empty text is not a number, fractions of numbers are not dropped, and
     * nothing may follow the end.
     */
    private static final ObjectMapper SENT = JSON.rebuild()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    private JsonState() {}

    /** Names the verb of a command in JSON; defined here because the domain does not know JSON. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "command")
    private interface Named {}

    public static String write(Object state) {
        try {
            return JSON.writeValueAsString(state);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a state of ours cannot be written", e);
        }
    }

    public static <T> T read(String text, Class<T> type) {
        try {
            return JSON.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a state of ours cannot be read", e);
        }
    }

    /**
     * Reads a text from a record of a topic, which any client with the right to write to the topic may have sent.
     *
     * @param required the fields that must be present, as JSON pointers
     * @throws IllegalArgumentException if the text is not of that type; the message names the reason
     */
    public static <T> T readSent(String text, Class<T> type, List<String> required) {
        try {
            JsonNode tree = SENT.readTree(text);
            for (String field : required) {
                if (tree.at(field).isMissingNode() || tree.at(field).isNull()) {
                    throw new IllegalArgumentException(field.substring(1) + " is missing");
                }
            }
            T value = SENT.treeToValue(tree, type);
            if (value == null) {
                throw new IllegalArgumentException("it is null");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(reason(e), e);
        }
    }

    /** Returns the reason of a failure, preferably the message of the value's own check. */
    private static String reason(JsonProcessingException failure) {
        Throwable cause = failure.getCause();
        boolean isOfAValue = cause instanceof IllegalArgumentException || cause instanceof NullPointerException;
        String message = cause == null || !isOfAValue ? null : cause.getMessage();
        return message == null ? failure.getOriginalMessage() : message;
    }
}
