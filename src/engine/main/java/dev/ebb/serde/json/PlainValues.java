package dev.ebb.serde.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.ebb.domain.Unicode;
import dev.ebb.serde.text.OutsideJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of a policy, a hold or a command in JSON: texts, whole numbers, truth values and lists of these. A null
 * equals a missing field. A field that is named twice is refused, since its author may have meant the other value.
 * Stateless.
 */
public final class PlainValues {

    private static final JsonFactory STRICT = OutsideJson.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private PlainValues() {}

    /**
     * Returns the values by the names of their fields, in their order.
     *
     * @throws UnreadableJsonException if the value is not a JSON object of plain values, or names a field twice
     */
    public static Map<String, Object> read(byte[] value) {
        return TopicJson.read(STRICT, TopicJson.text(value), PlainValues::object);
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        parser.nextToken();
        Map<String, Object> values = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (!Unicode.isValid(name)) {
                throw new UnreadableJsonException("the name of a field must be valid Unicode");
            }
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_ARRAY) {
                values.put(name, list(name, parser));
            } else if (token != JsonToken.VALUE_NULL) {
                values.put(name, single(name, parser));
            }
        }
        if (parser.nextToken() != null) {
            throw new UnreadableJsonException("there is more than one JSON object");
        }
        return values;
    }

    private static List<Object> list(String name, JsonParser parser) throws IOException {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            list.add(single(name, parser));
        }
        return list;
    }

    private static Object single(String name, JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> text(name, parser);
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default ->
                throw new UnreadableJsonException(
                        name + " must be a text, a whole number, true or false, or a list of them");
        };
    }

    private static String text(String name, JsonParser parser) throws IOException {
        String text = parser.getText();
        if (!Unicode.isValid(text)) {
            throw new UnreadableJsonException(name + " must be valid Unicode");
        }
        return text;
    }
}
