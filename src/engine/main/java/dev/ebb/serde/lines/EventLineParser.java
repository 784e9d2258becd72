package dev.ebb.serde.lines;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.text.OutsideJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/**
 * Makes a record from one JSON object with the field names of the model. A null equals a missing field; of a field that
 * is named twice the last value counts. Stateless.
 */
public final class EventLineParser {

    /** Limits depth alone, which costs memory; lines are limited as a whole, so their other parts need no limits. */
    private static final JsonFactory JSON = OutsideJson.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNestingDepth(10_000)
                    .build())
            .build();

    private static final String JSON_TYPE = "application/json";

    private static final Set<LineField> OF_UPDATES = Set.of(
            LineField.STREAM,
            LineField.ID,
            LineField.STATUS,
            LineField.COMPLETED_AT,
            LineField.TTL_SECONDS,
            LineField.NO_EXPIRATION,
            LineField.EXPIRES_AT,
            LineField.METADATA,
            LineField.UPDATE);

    private static final Set<LineField> OF_EXECUTIONS = Set.of(
            LineField.STREAM,
            LineField.EXECUTION,
            LineField.STATUS,
            LineField.PARENT,
            LineField.STARTED_AT,
            LineField.COMPLETED_AT,
            LineField.UPDATE);

    private static final Set<LineField> OF_EVENTS =
            EnumSet.complementOf(EnumSet.of(LineField.PARENT, LineField.STARTED_AT));

    private EventLineParser() {}

    /** The record of a line, or the reason why there is none. */
    public static Line parse(long number, String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            return ready(number, values(parser));
        } catch (UnreadableLineException e) {
            return new Line.Unreadable(number, String.valueOf(e.getMessage()));
        } catch (JsonProcessingException e) {
            return new Line.Unreadable(number, "it is no JSON object: " + reason(e));
        } catch (IOException e) {
            throw new UncheckedIOException("a text cannot fail to be read", e);
        }
    }

    /** The reason in words of ours: Jackson's message about an early end names places in an unknown source. */
    private static String reason(JsonProcessingException e) {
        return e instanceof JsonEOFException ? "it ends too early" : e.getOriginalMessage();
    }

    private static Map<LineField, Object> values(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new UnreadableLineException("it is no JSON object");
        }
        Map<LineField, Object> values = new EnumMap<>(LineField.class);
        String unknown = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            unknown = readField(parser, values) ? unknown : parser.currentName();
        }
        if (parser.nextToken() != null) {
            throw new UnreadableLineException("there is more than one JSON object");
        }
        if (unknown != null) {
            throw new UnreadableLineException("unknown field '" + unknown + "'");
        }
        return values;
    }

    /** Returns true if there is such a field. */
    private static boolean readField(JsonParser parser, Map<LineField, Object> values) throws IOException {
        LineField field = LineField.of(parser.currentName()).orElse(null);
        parser.nextToken();
        if (field == null) {
            parser.skipChildren();
            return false;
        }
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            values.remove(field);
        } else {
            values.put(field, field.read(parser));
        }
        return true;
    }

    private static Line ready(long number, Map<LineField, Object> values) {
        String stream = name(values, LineField.STREAM);
        boolean isUpdate = Boolean.TRUE.equals(values.get(LineField.UPDATE));
        if (!isUpdate && values.containsKey(LineField.EXECUTION) && !values.containsKey(LineField.ID)) {
            return new Line.Ready(number, stream, execution(values));
        }
        name(values, LineField.ID);
        return new Line.Ready(number, stream, isUpdate ? update(values) : event(values));
    }

    private static String name(Map<LineField, Object> values, LineField field) {
        Object name = values.get(field);
        if (name == null || name.equals("")) {
            throw new UnreadableLineException("it names no " + field.json());
        }
        return name.toString();
    }

    private static GenericRecord update(Map<LineField, Object> values) {
        requireKnown(values, OF_UPDATES, "an update");
        return record(EbbSchemas.EVENT_UPDATE, values);
    }

    private static GenericRecord execution(Map<LineField, Object> values) {
        requireKnown(values, OF_EXECUTIONS, "an execution");
        return record(EbbSchemas.EXECUTION_UPDATE, values);
    }

    private static void requireKnown(Map<LineField, Object> values, Set<LineField> known, String what) {
        for (LineField field : values.keySet()) {
            if (!known.contains(field)) {
                throw new UnreadableLineException("unknown field '" + field.json() + "' of " + what);
            }
        }
    }

    private static GenericRecord event(Map<LineField, Object> values) {
        requireKnown(values, OF_EVENTS, "an event");
        values.putIfAbsent(LineField.TYPE, "");
        values.putIfAbsent(LineField.NO_EXPIRATION, false);
        values.putIfAbsent(LineField.EXECUTION, 0L);
        values.putIfAbsent(LineField.METADATA, Map.of());
        LineField.Payload payload = payload(values);
        if (payload.isJson()) {
            values.putIfAbsent(LineField.CONTENT_TYPE, JSON_TYPE);
        }
        GenericRecord event = record(EbbSchemas.EVENT, values);
        event.put(LineField.PAYLOAD.json(), payload.bytes());
        return event;
    }

    private static LineField.Payload payload(Map<LineField, Object> values) {
        Object payload = values.get(LineField.PAYLOAD);
        Object base64 = values.get(LineField.PAYLOAD_BASE64);
        if (payload != null && base64 != null) {
            throw new UnreadableLineException("it has both payload and payloadBase64");
        }
        return (LineField.Payload)
                Objects.requireNonNullElse(payload, Objects.requireNonNullElse(base64, LineField.Payload.NONE));
    }

    private static GenericRecord record(Schema schema, Map<LineField, Object> values) {
        GenericRecord record = new GenericData.Record(schema);
        values.forEach((field, value) -> {
            Schema.Field avro = schema.getField(field.json());
            if (avro != null) {
                record.put(avro.pos(), value);
            }
        });
        return record;
    }
}
