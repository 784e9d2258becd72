package dev.ebb.serde.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ebb.domain.Spelling;
import dev.ebb.serde.schemas.EbbSchemas;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Makes a record from one JSON object with the field names of the model. A null equals a missing field. A field that is
 * named twice is refused, since its author may have meant the other value. Stateless.
 */
public final class EventObject {

    private static final String JSON_TYPE = "application/json";

    private static final Set<EventField> OF_UPDATES = Set.of(
            EventField.STREAM,
            EventField.ID,
            EventField.STATUS,
            EventField.COMPLETED_AT,
            EventField.TTL_SECONDS,
            EventField.NO_EXPIRATION,
            EventField.EXPIRES_AT,
            EventField.METADATA,
            EventField.UPDATE);

    private static final Set<EventField> OF_EXECUTIONS = Set.of(
            EventField.STREAM,
            EventField.EXECUTION,
            EventField.STATUS,
            EventField.PARENT,
            EventField.STARTED_AT,
            EventField.COMPLETED_AT,
            EventField.UPDATE);

    private static final Set<EventField> OF_EVENTS =
            EnumSet.complementOf(EnumSet.of(EventField.PARENT, EventField.STARTED_AT));

    private EventObject() {}

    /**
     * Returns the record of a text: a {@code dev.ebb.Event}, {@code dev.ebb.EventUpdate} or {@code
     * dev.ebb.ExecutionUpdate}. Only its form is checked; a stream or id without a name or a default is missing in the
     * record.
     *
     * @throws UnreadableJsonException if the text is not the JSON of one of these records
     */
    public static GenericRecord read(String json, Defaults defaults) {
        return record(values(json), defaults);
    }

    private static Map<EventField, Object> values(String json) {
        return TopicJson.read(TopicJson.FACTORY, json, EventObject::values);
    }

    private static Map<EventField, Object> values(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new UnreadableJsonException("it is not a JSON object");
        }
        Map<EventField, @Nullable Object> values = new EnumMap<>(EventField.class);
        UnreadableJsonException unknown = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            unknown = readField(parser, values, unknown);
        }
        if (parser.nextToken() != null) {
            throw new UnreadableJsonException("there is more than one JSON object");
        }
        if (unknown != null) {
            throw unknown;
        }
        return named(values);
    }

    /** Leaves out fields whose value is null. */
    private static Map<EventField, Object> named(Map<EventField, @Nullable Object> values) {
        Map<EventField, Object> named = new EnumMap<>(EventField.class);
        values.forEach((field, value) -> {
            if (value != null) {
                named.put(field, value);
            }
        });
        return named;
    }

    /**
     * Reads a field and returns its problem if it is unknown, or else the former problem. Unknown fields are reported
     * last, since a text that is not JSON is the greater fault.
     */
    private static @Nullable UnreadableJsonException readField(
            JsonParser parser, Map<EventField, @Nullable Object> values, @Nullable UnreadableJsonException former)
            throws IOException {
        String name = parser.currentName();
        EventField field = EventField.of(name).orElse(null);
        if (field == null) {
            String fault = Spelling.unknownField(name, EventField.names());
            var unknown = new UnreadableJsonException(fault).at(parser.currentTokenLocation());
            parser.nextToken();
            parser.skipChildren();
            return unknown;
        }
        if (values.containsKey(field)) {
            throw UnreadableJsonException.namedTwice(name);
        }
        values.put(field, parser.nextToken() == JsonToken.VALUE_NULL ? null : field.read(parser));
        return former;
    }

    private static GenericRecord record(Map<EventField, Object> values, Defaults defaults) {
        boolean isUpdate = Boolean.TRUE.equals(values.getOrDefault(EventField.UPDATE, defaults.isUpdate()));
        putDefault(values, EventField.STREAM, defaults.stream());
        if (isUpdate) {
            if (defaults.isUpdate()) {
                putDefault(values, EventField.ID, defaults.id());
            }
            return update(values);
        }
        if (values.containsKey(EventField.EXECUTION) && !values.containsKey(EventField.ID)) {
            return execution(values);
        }
        putDefault(values, EventField.ID, defaults.id());
        return event(values);
    }

    private static void putDefault(Map<EventField, Object> values, EventField field, @Nullable String value) {
        if (value != null) {
            values.putIfAbsent(field, value);
        }
    }

    private static GenericRecord update(Map<EventField, Object> values) {
        // An update without an id is refused for the missing id, which is more to the point.
        if (values.containsKey(EventField.ID)) {
            requireKnown(values, OF_UPDATES, "an update");
        }
        return record(EbbSchemas.EVENT_UPDATE, values);
    }

    private static GenericRecord execution(Map<EventField, Object> values) {
        requireKnown(values, OF_EXECUTIONS, "an execution");
        return record(EbbSchemas.EXECUTION_UPDATE, values);
    }

    private static void requireKnown(Map<EventField, Object> values, Set<EventField> known, String what) {
        for (EventField field : values.keySet()) {
            if (!known.contains(field)) {
                throw new UnreadableJsonException("unknown field '" + field.json() + "' of " + what);
            }
        }
    }

    private static GenericRecord event(Map<EventField, Object> values) {
        requireKnown(values, OF_EVENTS, "an event");
        values.putIfAbsent(EventField.TYPE, "");
        values.putIfAbsent(EventField.NO_EXPIRATION, false);
        values.putIfAbsent(EventField.EXECUTION, 0L);
        values.putIfAbsent(EventField.METADATA, Map.of());
        EventField.Payload payload = payload(values);
        if (payload.isJson()) {
            values.putIfAbsent(EventField.CONTENT_TYPE, JSON_TYPE);
        }
        GenericRecord event = record(EbbSchemas.EVENT, values);
        event.put(EventField.PAYLOAD.json(), payload.bytes());
        return event;
    }

    private static EventField.Payload payload(Map<EventField, Object> values) {
        Object payload = values.get(EventField.PAYLOAD);
        Object base64 = values.get(EventField.PAYLOAD_BASE64);
        if (payload != null && base64 != null) {
            throw new UnreadableJsonException("it has both payload and payloadBase64");
        }
        return (EventField.Payload)
                Objects.requireNonNullElse(payload, Objects.requireNonNullElse(base64, EventField.Payload.NONE));
    }

    private static GenericRecord record(Schema schema, Map<EventField, Object> values) {
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
