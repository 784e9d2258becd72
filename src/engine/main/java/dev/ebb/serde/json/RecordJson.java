package dev.ebb.serde.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ebb.serde.schemas.EbbSchemas;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records of {@code schemas/} as JSON objects and back, field by field under the same names. Null fields are omitted,
 * fields of bytes are in Base64 under their name with the suffix {@code Base64}, and an update is marked as an update;
 * so events have the form in which producers send them. Fields that this version does not know are ignored. Stateless.
 */
public final class RecordJson {

    private static final String BASE64 = "Base64";

    /** First field of a record that is one of several kinds. */
    private static final String KIND = "kind";

    private RecordJson() {}

    /** Returns the JSON of the record, in one line of UTF-8. */
    public static byte[] write(GenericRecord avro) {
        StringWriter text = new StringWriter();
        // The detour by a text turns a lone surrogate into a question mark, as Avro does.
        try (JsonGenerator json = TopicJson.FACTORY.createGenerator(text)) {
            writeRecord(avro, json);
        } catch (IOException e) {
            throw new UncheckedIOException("a text cannot fail to be written", e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the record with the given schema.
     *
     * @throws UnreadableJsonException if the value is not the JSON of a record with the schema
     */
    public static GenericRecord read(Schema schema, byte[] value) {
        return TopicJson.read(TopicJson.FACTORY, TopicJson.text(value), parser -> {
            parser.nextToken();
            GenericRecord avro = readRecord(schema, parser);
            if (parser.nextToken() != null) {
                throw new UnreadableJsonException("there is more than one JSON object");
            }
            return avro;
        });
    }

    private static void writeRecord(IndexedRecord avro, JsonGenerator json) throws IOException {
        json.writeStartObject();
        writeFields(avro, json);
    }

    /** Writes a record of a union of records, with its kind as the first field. */
    private static void writeKind(IndexedRecord avro, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField(KIND, kindOf(avro.getSchema()));
        writeFields(avro, json);
    }

    private static String kindOf(Schema schema) {
        String name = schema.getName();
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    private static boolean isOneOfSeveral(Schema schema) {
        return schema.getType() == Schema.Type.UNION
                && schema.getTypes().stream()
                                .filter(type -> type.getType() == Schema.Type.RECORD)
                                .count()
                        > 1;
    }

    private static void writeFields(IndexedRecord avro, JsonGenerator json) throws IOException {
        for (Schema.Field field : avro.getSchema().getFields()) {
            Object value = avro.get(field.pos());
            if (value != null) {
                json.writeFieldName(nameOf(field));
                if (value instanceof IndexedRecord one && isOneOfSeveral(field.schema())) {
                    writeKind(one, json);
                } else {
                    writeValue(value, json);
                }
            }
        }
        if (avro.getSchema().equals(EbbSchemas.EVENT_UPDATE)) {
            json.writeBooleanField(EventField.UPDATE.json(), true);
        }
        json.writeEndObject();
    }

    private static void writeValue(Object value, JsonGenerator json) throws IOException {
        if (value instanceof IndexedRecord avro) {
            writeRecord(avro, json);
        } else if (value instanceof Collection<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                writeValue(element, json);
            }
            json.writeEndArray();
        } else if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                writeValue(entry.getValue(), json);
            }
            json.writeEndObject();
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof ByteBuffer bytes) {
            json.writeString(StandardCharsets.ISO_8859_1
                    .decode(Base64.getEncoder().encode(bytes.duplicate()))
                    .toString());
        } else {
            json.writeString(value.toString());
        }
    }

    private static GenericRecord readRecord(Schema schema, JsonParser parser) throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT, "it", "an object");
        return readFields(schema, parser);
    }

    private static GenericRecord readKind(String name, Schema union, JsonParser parser) throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT, name, "an object");
        boolean hasKind = parser.nextToken() == JsonToken.FIELD_NAME
                && parser.currentName().equals(KIND)
                && parser.nextToken() == JsonToken.VALUE_STRING;
        String kind = hasKind ? parser.getText() : "";
        Schema schema = union.getTypes().stream()
                .filter(type ->
                        type.getType() == Schema.Type.RECORD && kindOf(type).equals(kind))
                .findFirst()
                .orElseThrow(() -> new UnreadableJsonException(name + " must begin with a known kind"));
        return readFields(schema, parser);
    }

    private static GenericRecord readFields(Schema schema, JsonParser parser) throws IOException {
        GenericRecord avro = new GenericData.Record(schema);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            Schema.Field field = field(schema, parser.currentName());
            if (parser.nextToken() == JsonToken.VALUE_NULL) {
                continue;
            }
            if (field == null) {
                parser.skipChildren();
            } else {
                avro.put(field.pos(), readField(field, parser));
            }
        }
        return avro;
    }

    private static Object readField(Schema.Field field, JsonParser parser) throws IOException {
        return isOneOfSeveral(field.schema())
                ? readKind(field.name(), field.schema(), parser)
                : readValue(field.name(), notNull(field.schema()), parser);
    }

    private static Object readValue(String name, Schema schema, JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        switch (schema.getType()) {
            case RECORD -> {
                return readRecord(schema, parser);
            }
            case ARRAY -> {
                require(token == JsonToken.START_ARRAY, name, "a list");
                List<Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(readValue(name, schema.getElementType(), parser));
                }
                return list;
            }
            case MAP -> {
                require(token == JsonToken.START_OBJECT, name, "an object");
                Map<String, Object> map = new HashMap<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String key = parser.currentName();
                    parser.nextToken();
                    map.put(key, readValue(name, schema.getValueType(), parser));
                }
                return map;
            }
            case BYTES -> {
                require(token == JsonToken.VALUE_STRING, name, "Base64");
                return base64(name, parser.getText());
            }
            case BOOLEAN -> {
                require(token.isBoolean(), name, "true or false");
                return parser.getBooleanValue();
            }
            case INT -> {
                require(token == JsonToken.VALUE_NUMBER_INT, name, "a whole number");
                return parser.getIntValue();
            }
            case LONG -> {
                require(token == JsonToken.VALUE_NUMBER_INT, name, "a whole number");
                return parser.getLongValue();
            }
            default -> {
                require(token == JsonToken.VALUE_STRING, name, "a text");
                return parser.getText();
            }
        }
    }

    private static ByteBuffer base64(String name, String text) {
        try {
            return ByteBuffer.wrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new UnreadableJsonException(name + " must be Base64: " + e.getMessage());
        }
    }

    private static Schema.@Nullable Field field(Schema schema, String name) {
        Schema.Field field = schema.getField(name);
        if (field == null && name.endsWith(BASE64)) {
            Schema.Field ofBytes = schema.getField(name.substring(0, name.length() - BASE64.length()));
            return ofBytes != null && isBytes(ofBytes) ? ofBytes : null;
        }
        return field != null && isBytes(field) ? null : field;
    }

    private static String nameOf(Schema.Field field) {
        return isBytes(field) ? field.name() + BASE64 : field.name();
    }

    private static boolean isBytes(Schema.Field field) {
        return notNull(field.schema()).getType() == Schema.Type.BYTES;
    }

    /** Returns the one type beside null. Policies, which have two, are read by rules of their own. */
    private static Schema notNull(Schema schema) {
        return schema.getType() != Schema.Type.UNION
                ? schema
                : schema.getTypes().stream()
                        .filter(type -> type.getType() != Schema.Type.NULL)
                        .findFirst()
                        .orElse(schema);
    }

    private static void require(boolean isMet, String name, String wanted) {
        if (!isMet) {
            throw new UnreadableJsonException(name + " must be " + wanted);
        }
    }
}
