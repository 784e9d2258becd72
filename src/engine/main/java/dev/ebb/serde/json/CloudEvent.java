package dev.ebb.serde.json;

import dev.ebb.domain.event.MetadataRule;
import dev.ebb.serde.schemas.EbbSchemas;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * One CloudEvent, and its conversion to an event of Ebb. Attributes named like a field of an event, in lower case,
 * become that field; all others, source and subject among them, become metadata. Used once; not thread-safe.
 */
final class CloudEvent {

    private static final String VERSION = "1.0";
    private static final int DIGITS_OF_DATE = 8;

    private final Map<String, String> attributes;
    private final @Nullable String contentType;
    private final byte[] content;

    /**
     * Creates a CloudEvent from its parts.
     *
     * @param attributes its attributes by name, without the type of its content
     * @param contentType the type of the content; null if unknown
     * @param content the content; empty for none
     */
    CloudEvent(Map<String, String> attributes, @Nullable String contentType, byte[] content) {
        this.attributes = new LinkedHashMap<>(attributes);
        this.contentType = contentType;
        this.content = content;
    }

    /** @throws UnreadableJsonException if an attribute is wrong or missing */
    GenericRecord record() {
        String version = required("specversion");
        if (!version.equals(VERSION)) {
            throw new UnreadableJsonException("specversion is '" + version + "', and only " + VERSION + " is known");
        }
        GenericRecord event = new GenericData.Record(EbbSchemas.EVENT);
        String id = required("id");
        String source = required("source");
        event.put("id", id);
        event.put("type", required("type"));
        event.put("stream", stream(source));
        event.put("occurredAt", taken("time", text -> time(EventField.OCCURRED_AT, text, "time")));
        event.put("status", taken("status", text -> text));
        event.put("completedAt", taken("completedat", text -> time(EventField.COMPLETED_AT, text, "completedat")));
        event.put("ttlSeconds", taken("ttlseconds", text -> number(text, "ttlseconds")));
        event.put("expiresAt", taken("expiresat", text -> time(EventField.EXPIRES_AT, text, "expiresat")));
        event.put("noExpiration", orElse(taken("noexpiration", CloudEvent::truth), false));
        event.put("execution", orElse(taken("execution", text -> number(text, "execution")), 0L));
        event.put("correlationId", taken("correlationid", text -> text));
        event.put("contentType", contentType);
        event.put("payload", ByteBuffer.wrap(content));
        attributes.put("source", source);
        String problem = MetadataRule.problem(attributes);
        if (problem != null) {
            throw new UnreadableJsonException(problem);
        }
        event.put("metadata", attributes);
        return event;
    }

    /** Returns the stream that the attribute stream names, or else the stream of source and subject. */
    private String stream(String source) {
        String named = attributes.remove("stream");
        return named == null ? SourceStream.of(source, attributes.get("subject")) : named;
    }

    private String required(String name) {
        String value = attributes.remove(name);
        if (value == null || value.isEmpty()) {
            throw new UnreadableJsonException("a CloudEvent must have the attribute " + name);
        }
        return value;
    }

    private <T> @Nullable T taken(String name, Function<String, T> reader) {
        String value = attributes.remove(name);
        return value == null ? null : reader.apply(value);
    }

    private static <T> T orElse(@Nullable T value, T other) {
        return value == null ? other : value;
    }

    /** Attributes of CloudEvents are texts; digits are epoch milliseconds as in the field of the event, eight are a date. */
    private static long time(EventField field, String text, String name) {
        return isNumber(text) && text.length() != DIGITS_OF_DATE
                ? EventField.time(number(text, name), name)
                : field.time(text, name);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static long number(String text, String name) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new UnreadableJsonException(name + " must be a whole number, was '" + text + "'");
        }
    }

    private static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new UnreadableJsonException("noexpiration must be true or false, was '" + text + "'");
        }
        return text.equals("true");
    }
}
