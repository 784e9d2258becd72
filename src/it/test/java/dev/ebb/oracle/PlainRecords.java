package dev.ebb.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;

/** Reads records that are JSON objects with the fields of a schema, as Ebb writes them where there is no registry. */
final class PlainRecords {

    private static final String BASE64 = "Base64";
    private static final ObjectMapper STRICT =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private PlainRecords() {}

    static boolean isObject(byte[] bytes) {
        return bytes != null && bytes.length > 0 && bytes[0] == '{';
    }

    /** The object; null if it is none. */
    static JsonNode object(byte[] bytes) {
        try {
            JsonNode node = STRICT.readTree(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
            return node.isObject() ? node : null;
        } catch (JsonProcessingException | CharacterCodingException e) {
            return null;
        }
    }

    /** The record of that schema; null if a field is of another type, or one that must be there is missing. */
    static GenericRecord read(JsonNode object, Schema schema) {
        GenericRecordBuilder record = new GenericRecordBuilder(schema);
        try {
            for (Schema.Field field : schema.getFields()) {
                JsonNode value = object.path(isBytes(field.schema()) ? field.name() + BASE64 : field.name());
                if (!value.isMissingNode() && !value.isNull()) {
                    record.set(field, value(value, field.schema()));
                }
            }
            return record.build();
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Returns true if the object has no field that the schema does not know. */
    static boolean isAll(JsonNode object, Schema schema, String further) {
        List<String> unknown = new ArrayList<>();
        object.fieldNames().forEachRemaining(name -> {
            String plain = name.endsWith(BASE64) ? name.substring(0, name.length() - BASE64.length()) : name;
            boolean isKnown = name.equals(further)
                    || (schema.getField(name) != null
                            && !isBytes(schema.getField(name).schema()))
                    || (schema.getField(plain) != null
                            && isBytes(schema.getField(plain).schema()));
            if (!isKnown) {
                unknown.add(name);
            }
        });
        return unknown.isEmpty();
    }

    private static Object value(JsonNode value, Schema schema) {
        return switch (schema.getType()) {
            case UNION -> union(value, schema);
            case STRING, ENUM -> required(value.textValue());
            case LONG -> whole(value);
            case INT -> Math.toIntExact(whole(value));
            case BOOLEAN -> {
                if (!value.isBoolean()) {
                    throw new IllegalArgumentException("no truth value");
                }
                yield value.booleanValue();
            }
            case BYTES -> ByteBuffer.wrap(Base64.getDecoder().decode(required(value.textValue())));
            case ARRAY -> list(value, schema.getElementType());
            case MAP -> map(value, schema.getValueType());
            case RECORD -> required(read(value, schema));
            default -> throw new IllegalArgumentException("no field is of " + schema);
        };
    }

    /** The first type that it can be. */
    private static Object union(JsonNode value, Schema schema) {
        for (Schema type : schema.getTypes()) {
            if (type.getType() != Schema.Type.NULL) {
                try {
                    return value(value, type);
                } catch (RuntimeException e) {
                    continue;
                }
            }
        }
        throw new IllegalArgumentException("none of " + schema);
    }

    private static long whole(JsonNode value) {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IllegalArgumentException("no whole number");
        }
        return value.longValue();
    }

    private static List<Object> list(JsonNode value, Schema element) {
        if (!value.isArray()) {
            throw new IllegalArgumentException("no list");
        }
        List<Object> list = new ArrayList<>();
        value.forEach(each -> list.add(value(each, element)));
        return list;
    }

    private static Map<String, Object> map(JsonNode value, Schema element) {
        if (!value.isObject()) {
            throw new IllegalArgumentException("no object");
        }
        Map<String, Object> map = new HashMap<>();
        value.properties().forEach(entry -> map.put(entry.getKey(), value(entry.getValue(), element)));
        return map;
    }

    private static <T> T required(T value) {
        if (value == null) {
            throw new IllegalArgumentException("of another type");
        }
        return value;
    }

    private static boolean isBytes(Schema schema) {
        return schema.getType() == Schema.Type.BYTES
                || (schema.getType() == Schema.Type.UNION
                        && schema.getTypes().stream().anyMatch(type -> type.getType() == Schema.Type.BYTES));
    }
}
