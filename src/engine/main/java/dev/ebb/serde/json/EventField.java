package dev.ebb.serde.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ebb.domain.Snapshot;
import dev.ebb.domain.Unicode;
import dev.ebb.domain.event.MetadataRule;
import dev.ebb.domain.event.TimeRule;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Times;
import dev.ebb.serde.text.CompactJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The fields that an event in JSON may have, each with the reader of its value. */
enum EventField {
    STREAM("stream", Kind.TEXT),
    ID("id", Kind.TEXT),
    TYPE("type", Kind.TEXT),
    STATUS("status", Kind.TEXT),
    OCCURRED_AT("occurredAt", Kind.TIME),
    COMPLETED_AT("completedAt", Kind.TIME),
    TTL_SECONDS("ttlSeconds", Kind.NUMBER),
    NO_EXPIRATION("noExpiration", Kind.TRUTH),
    EXPIRES_AT("expiresAt", Kind.TIME),
    EXECUTION("execution", Kind.NUMBER),
    PARENT("parent", Kind.TEXT),
    STARTED_AT("startedAt", Kind.TIME),
    CORRELATION_ID("correlationId", Kind.TEXT),
    METADATA("metadata", Kind.TEXTS),
    CONTENT_TYPE("contentType", Kind.TEXT),
    PAYLOAD("payload", Kind.PAYLOAD),
    PAYLOAD_BASE64("payloadBase64", Kind.BASE64),
    UPDATE("update", Kind.TRUTH);

    private static final String TIME_FORMS = "whole epoch milliseconds or a time such as 2026-01-31T09:00:00Z";
    private static final Map<String, EventField> BY_NAME = byName();

    private final String json;
    private final Kind kind;

    EventField(String json, Kind kind) {
        this.json = json;
        this.kind = kind;
    }

    static Optional<EventField> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** Returns the names of all fields. */
    static Set<String> names() {
        return BY_NAME.keySet();
    }

    /** Returns the name in JSON, equal to the name of the Avro field where there is one. */
    String json() {
        return json;
    }

    /** @throws UnreadableJsonException if the value has the wrong type */
    Object read(JsonParser parser) throws IOException {
        return switch (kind) {
            case TEXT -> text(parser, json);
            case NUMBER -> number(parser, json);
            case TRUTH -> truth(parser, json);
            case TIME -> time(parser);
            case TEXTS -> texts(parser, json);
            case PAYLOAD -> payload(parser, json);
            case BASE64 -> base64(parser, json);
        };
    }

    /**
     * A payload and its form.
     *
     * @param bytes the bytes to send
     * @param isJson true if the payload was written as a JSON object or list
     */
    record Payload(ByteBuffer bytes, boolean isJson) {
        static final Payload NONE = new Payload(ByteBuffer.allocate(0), false);
    }

    private static String text(JsonParser parser, String field) throws IOException {
        require(parser.currentToken() == JsonToken.VALUE_STRING, field, "a text");
        String text = parser.getText();
        require(Unicode.isValid(text), field, "valid Unicode");
        return text;
    }

    private static long number(JsonParser parser, String field) throws IOException {
        require(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, field, "a whole number");
        require(parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER, field, "a whole number of 64 bits");
        return parser.getLongValue();
    }

    private static boolean truth(JsonParser parser, String field) throws IOException {
        require(parser.currentToken().isBoolean(), field, "true or false");
        return parser.getBooleanValue();
    }

    private long time(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return time(number(parser, json), json);
        }
        require(parser.currentToken() == JsonToken.VALUE_STRING, json, TIME_FORMS);
        return time(parser.getText(), json);
    }

    /** Returns the epoch milliseconds of a number; whether they are in the range is checked with the other rules. */
    static long time(long number, String name) {
        if (TimeRule.problem(number) == null) {
            String problem = TimeRule.problemOfNumber(number);
            require(problem == null, name, TIME_FORMS + ": " + problem);
        }
        return number;
    }

    /** Returns the moment of a text, in epoch milliseconds; a date means its end only where it ends a life. */
    long time(String text, String name) {
        try {
            return Times.readFixed(text, DateBound.inRecord(json));
        } catch (IllegalArgumentException e) {
            throw new UnreadableJsonException(name + " must be " + TIME_FORMS + ": " + e.getMessage());
        }
    }

    private static Map<String, String> texts(JsonParser parser, String field) throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT, field, "an object of texts");
        Map<String, String> texts = new HashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            require(Unicode.isValid(name), field, "valid Unicode");
            parser.nextToken();
            if (texts.put(name, text(parser, field + "." + name)) != null) {
                throw UnreadableJsonException.namedTwice(field + "." + name);
            }
        }
        String problem = MetadataRule.problem(texts);
        if (problem != null) {
            throw new UnreadableJsonException(problem);
        }
        return texts;
    }

    private static Payload payload(JsonParser parser, String field) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            return new Payload(utf8(text(parser, field)), false);
        }
        require(parser.currentToken().isStructStart(), field, "an object, a list or a text");
        return new Payload(utf8(CompactJson.copy(parser)), true);
    }

    private static Payload base64(JsonParser parser, String field) throws IOException {
        try {
            byte[] bytes = Base64.getDecoder().decode(text(parser, field));
            return new Payload(ByteBuffer.wrap(bytes), false);
        } catch (IllegalArgumentException e) {
            throw new UnreadableJsonException(field + " must be Base64: " + e.getMessage());
        }
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void require(boolean isMet, String field, String wanted) {
        if (!isMet) {
            throw new UnreadableJsonException(field + " must be " + wanted);
        }
    }

    private static Map<String, EventField> byName() {
        Map<String, EventField> fields = new HashMap<>();
        for (EventField field : values()) {
            fields.put(field.json, field);
        }
        return Snapshot.of(fields);
    }

    /** Forms of values. */
    private enum Kind {
        TEXT,
        NUMBER,
        TRUTH,
        TIME,
        TEXTS,
        PAYLOAD,
        BASE64
    }
}
