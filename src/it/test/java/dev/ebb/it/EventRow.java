package dev.ebb.it;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.model.RetentionModel;
import dev.ebb.model.RetentionModelStream.Kept;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/** One stored event, wherever it was read. Times are epoch milliseconds; {@code storedAt} is 0 where it is not known. */
record EventRow(
        String stream,
        String id,
        long storedAt,
        String type,
        String status,
        boolean isProtected,
        long occurredAt,
        Long completedAt,
        Long ttlSeconds,
        boolean noExpiration,
        Long expiresAt,
        Map<String, String> metadata,
        long bytes,
        String payloadBase64) {

    static final String COLUMNS = "stream, event_id, (extract(epoch FROM stored_at) * 1000)::bigint, type, status,"
            + " terminal, (extract(epoch FROM occurred_at) * 1000)::bigint,"
            + " (extract(epoch FROM completed_at) * 1000)::bigint, ttl_seconds, no_expiration,"
            + " (extract(epoch FROM expires_at) * 1000)::bigint, metadata::text, size_bytes, payload";

    EventRow {
        metadata = new TreeMap<>(metadata);
    }

    EventRow withoutStoredAt() {
        return new EventRow(
                stream,
                id,
                0,
                type,
                status,
                isProtected,
                occurredAt,
                completedAt,
                ttlSeconds,
                noExpiration,
                expiresAt,
                metadata,
                bytes,
                payloadBase64);
    }

    static EventRow ofModel(RetentionModel model, Kept kept) {
        return new EventRow(
                kept.stream,
                kept.id,
                0,
                kept.type,
                kept.status,
                model.isProtected(kept),
                kept.occurredAt,
                kept.completedAt,
                kept.ttl.ttlSeconds(),
                kept.ttl.noExpiration(),
                kept.ttl.expiresAt(),
                kept.metadata,
                kept.size,
                base64(kept.payload));
    }

    /** An event as REST shows it. */
    static EventRow ofRest(JsonNode json) {
        return new EventRow(
                json.path("stream").textValue(),
                json.path("id").textValue(),
                time(json.path("storedAt")),
                json.path("type").textValue(),
                emptyAsNull(json.path("status").textValue()),
                json.path("protected").booleanValue(),
                time(json.path("occurredAt")),
                time(json.path("completedAt")),
                number(json.path("ttlSeconds")),
                json.path("noExpiration").booleanValue(),
                time(json.path("expiresAt")),
                texts(json.path("metadata")),
                json.path("bytes").longValue(),
                payload(json));
    }

    /** A row of the mirror topic, with the field names of the table. */
    static EventRow ofMirror(byte[] value) {
        JsonNode json = parse(new String(value, StandardCharsets.UTF_8));
        return new EventRow(
                json.path("stream").textValue(),
                json.path("event_id").textValue(),
                time(json.path("stored_at")),
                json.path("type").textValue(),
                emptyAsNull(json.path("status").textValue()),
                !json.path("terminal").booleanValue(),
                time(json.path("occurred_at")),
                time(json.path("completed_at")),
                number(json.path("ttl_seconds")),
                json.path("no_expiration").booleanValue(),
                time(json.path("expires_at")),
                texts(parse(json.path("metadata").textValue())),
                json.path("size_bytes").longValue(),
                json.path("payload").textValue());
    }

    /** A row of the table, read with {@link #COLUMNS}. */
    static EventRow ofSql(ResultSet row) throws SQLException {
        return new EventRow(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                row.getString(4),
                emptyAsNull(row.getString(5)),
                !row.getBoolean(6),
                row.getLong(7),
                row.getObject(8, Long.class),
                row.getObject(9, Long.class),
                row.getBoolean(10),
                row.getObject(11, Long.class),
                texts(parse(row.getString(12))),
                row.getLong(13),
                base64(row.getBytes(14)));
    }

    /** Input of the model. */
    Kept toKept() {
        Kept kept = new Kept();
        kept.stream = stream;
        kept.id = id;
        kept.status = status;
        kept.storedAt = storedAt;
        kept.occurredAt = occurredAt;
        kept.completedAt = completedAt;
        kept.ttl = new OwnTtl(ttlSeconds, expiresAt, noExpiration);
        kept.size = bytes;
        return kept;
    }

    private static String payload(JsonNode json) {
        if (json.has("payloadBase64")) {
            return json.path("payloadBase64").textValue();
        }
        JsonNode payload = json.path("payload");
        String text = payload.isTextual() ? payload.textValue() : payload.isMissingNode() ? "" : Json.compact(payload);
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static Map<String, String> texts(JsonNode json) {
        Map<String, String> texts = new TreeMap<>();
        json.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().textValue()));
        return texts;
    }

    private static String emptyAsNull(String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static Long number(JsonNode json) {
        return json.isNumber() ? (Long) json.longValue() : null;
    }

    private static Long time(JsonNode json) {
        return json.isTextual() ? (Long) Instant.parse(json.textValue()).toEpochMilli() : null;
    }

    private static JsonNode parse(String text) {
        try {
            return Json.parse(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
