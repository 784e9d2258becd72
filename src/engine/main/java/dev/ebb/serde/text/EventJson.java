package dev.ebb.serde.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.ebb.domain.Unicode;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A stored event as a JSON object for people and programs: field names of the model, times as ISO-8601 in UTC with
 * milliseconds, no field for a value that the event does not have. Stateless.
 */
public final class EventJson {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final JsonFactory JSON = OutsideJson.factory();
    private static final String JSON_TYPE = "application/json";

    private EventJson() {}

    /**
     * Returns the object of an event. The payload is in {@code payload}, as JSON if both its content type and its
     * content are JSON, or as a text if it is a text; otherwise it is in {@code payloadBase64}.
     */
    public static ObjectNode write(StoredEvent stored) {
        Event event = stored.event();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("stream", event.stream().value());
        json.put("id", event.id().value());
        json.put("type", event.type());
        putText(json, "status", event.status());
        json.put("protected", stored.isProtected());
        putTime(json, "storedAt", stored.storedAt());
        putTime(json, "occurredAt", event.occurredAt());
        putTime(json, "completedAt", event.completedAt());
        putTtl(json, event.ttl());
        json.put("execution", event.execution());
        putText(json, "correlationId", event.correlationId());
        ObjectNode metadata = json.putObject("metadata");
        new TreeMap<>(event.metadata()).forEach(metadata::put);
        putText(json, "contentType", event.contentType());
        json.put("bytes", stored.sizeBytes());
        putPayload(json, event);
        return json;
    }

    /**
     * Returns a time, given in epoch milliseconds, as every view of Ebb shows it; a time before 1970 or after 9999, which
     * RFC 3339 cannot write, becomes the nearest one inside, as in SQL.
     */
    public static String time(long epochMs) {
        return TIME.format(Instant.ofEpochMilli(UtcText.clamped(epochMs)));
    }

    private static void putTtl(ObjectNode json, OwnTtl ttl) {
        if (ttl.ttlSeconds() != null) {
            json.put("ttlSeconds", ttl.ttlSeconds());
        }
        json.put("noExpiration", ttl.noExpiration());
        putTime(json, "expiresAt", ttl.expiresAt());
    }

    private static void putPayload(ObjectNode json, Event event) {
        byte[] payload = event.payload();
        if (payload.length == 0) {
            return;
        }
        String contentType = mediaType(event.contentType());
        Optional<String> text = Unicode.decode(payload, 0, payload.length);
        Optional<String> compact = isJson(contentType) ? text.flatMap(EventJson::compact) : Optional.empty();
        if (compact.isPresent()) {
            json.putRawValue("payload", new RawValue(compact.get()));
        } else if (text.isPresent() && isText(contentType)) {
            json.put("payload", text.get());
        } else {
            json.put("payloadBase64", Base64.getEncoder().encodeToString(payload));
        }
    }

    private static String mediaType(@Nullable String contentType) {
        return contentType == null ? "" : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static boolean isJson(String mediaType) {
        return mediaType.equals(JSON_TYPE) || mediaType.endsWith("+json");
    }

    /** Returns true for the media type of a text; a payload without a content type is usually a text. */
    private static boolean isText(String mediaType) {
        return mediaType.isEmpty() || mediaType.startsWith("text/");
    }

    /**
     * Returns the text as one line of JSON with its numbers unchanged; empty if the text is not exactly one JSON value.
     */
    private static Optional<String> compact(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            JsonToken first = parser.nextToken();
            String compact = first == null ? "" : CompactJson.copy(parser);
            return first == null || parser.nextToken() != null ? Optional.empty() : Optional.of(compact);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void putText(ObjectNode json, String field, @Nullable String text) {
        if (text != null) {
            json.put(field, text);
        }
    }

    private static void putTime(ObjectNode json, String field, @Nullable Long epochMs) {
        if (epochMs != null) {
            json.put(field, time(epochMs));
        }
    }
}
