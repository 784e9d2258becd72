package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * One stored event, wherever it was read. Times are epoch milliseconds.
 *
 * @param isTerminal true if the status is terminal
 * @param payload its SHA-256; null if the place does not tell the bytes, which then are not compared
 */
record Row(
        String stream,
        String id,
        long storedAt,
        String type,
        String status,
        boolean isTerminal,
        Long occurredAt,
        Long completedAt,
        Long ttlSeconds,
        boolean noExpiration,
        Long expiresAt,
        long execution,
        String correlationId,
        String contentType,
        Map<String, String> metadata,
        String payload,
        long payloadBytes) {

    private static final int FIXED_BYTES = 64;

    static final String COLUMNS = "stream, event_id, (extract(epoch FROM stored_at) * 1000)::bigint, type, status,"
            + " terminal, (extract(epoch FROM occurred_at) * 1000)::bigint,"
            + " (extract(epoch FROM completed_at) * 1000)::bigint, ttl_seconds, no_expiration,"
            + " (extract(epoch FROM expires_at) * 1000)::bigint, execution, correlation_id, content_type,"
            + " metadata::text, payload, size_bytes";

    Row {
        status = status == null || status.isEmpty() ? null : status;
        metadata = new TreeMap<>(metadata);
    }

    record Key(String stream, String id, long storedAt) {}

    Key key() {
        return new Key(stream, id, storedAt);
    }

    /** As caps and audits count it. */
    long size() {
        long bytes = FIXED_BYTES + payloadBytes;
        for (String text : Arrays.asList(stream, id, type, status, correlationId, contentType)) {
            bytes += utf8(text);
        }
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            bytes += utf8(entry.getKey()) + utf8(entry.getValue());
        }
        return bytes;
    }

    boolean hasOwnTtl() {
        return ttlSeconds != null || expiresAt != null;
    }

    Row withTtl(Long seconds, boolean isInfinite, Long expires) {
        return new Row(
                stream,
                id,
                storedAt,
                type,
                status,
                isTerminal,
                occurredAt,
                completedAt,
                seconds,
                isInfinite,
                expires,
                execution,
                correlationId,
                contentType,
                metadata,
                payload,
                payloadBytes);
    }

    /** The names and values of the fields in which the other one differs; empty if it is the same. */
    String differs(Row other) {
        List<String> differing = new ArrayList<>();
        compare(differing, "storedAt", storedAt, other.storedAt);
        compare(differing, "type", type, other.type);
        compare(differing, "status", status, other.status);
        compare(differing, "terminal", isTerminal, other.isTerminal);
        compare(differing, "occurredAt", occurredAt, other.occurredAt);
        compare(differing, "completedAt", completedAt, other.completedAt);
        compare(differing, "ttlSeconds", ttlSeconds, other.ttlSeconds);
        compare(differing, "noExpiration", noExpiration, other.noExpiration);
        compare(differing, "expiresAt", expiresAt, other.expiresAt);
        compare(differing, "execution", execution, other.execution);
        compare(differing, "correlationId", correlationId, other.correlationId);
        compare(differing, "contentType", contentType, other.contentType);
        compare(differing, "metadata", metadata, other.metadata);
        compare(differing, "payloadBytes", payloadBytes, other.payloadBytes);
        if (payload != null && other.payload != null) {
            compare(differing, "payload", payload, other.payload);
        }
        return String.join(", ", differing);
    }

    private static void compare(List<String> differing, String field, Object mine, Object theirs) {
        if (!Objects.equals(plain(mine), plain(theirs))) {
            differing.add(field + " " + mine + " / " + theirs);
        }
    }

    /** No text of PostgreSQL can hold NUL, and the mirror writes what Unicode has for such cases. */
    private static Object plain(Object value) {
        return value instanceof Long || value instanceof Boolean || value == null
                ? value
                : value.toString().replace('\u0000', '\uFFFD');
    }

    /** A row of the mirror topic; the key says nothing that the row does not. */
    static Row ofMirror(JsonNode json) {
        byte[] payload = Base64.getDecoder().decode(json.path("payload").asText(""));
        return new Row(
                json.path("stream").textValue(),
                json.path("event_id").textValue(),
                time(json.path("stored_at")),
                json.path("type").textValue(),
                json.path("status").textValue(),
                json.path("terminal").booleanValue(),
                time(json.path("occurred_at")),
                time(json.path("completed_at")),
                number(json.path("ttl_seconds")),
                json.path("no_expiration").booleanValue(),
                time(json.path("expires_at")),
                json.path("execution").longValue(),
                json.path("correlation_id").textValue(),
                json.path("content_type").textValue(),
                texts(Json.parse(json.path("metadata").textValue())),
                digest(payload),
                payload.length);
    }

    /** An event as REST shows it. */
    static Row ofRest(JsonNode json) {
        byte[] payload = restPayload(json);
        long length = json.path("payloadBytes").longValue();
        return new Row(
                json.path("stream").textValue(),
                json.path("id").textValue(),
                time(json.path("storedAt")),
                json.path("type").textValue(),
                json.path("status").textValue(),
                !json.path("protected").booleanValue(),
                time(json.path("occurredAt")),
                time(json.path("completedAt")),
                number(json.path("ttlSeconds")),
                json.path("noExpiration").booleanValue(),
                time(json.path("expiresAt")),
                json.path("execution").longValue(),
                json.path("correlationId").textValue(),
                json.path("contentType").textValue(),
                texts(json.path("metadata")),
                payload.length == length ? digest(payload) : null,
                length);
    }

    /** A row of the table, read with {@link #COLUMNS}. */
    static Row ofSql(ResultSet row) throws SQLException {
        byte[] payload = row.getBytes(16);
        return new Row(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                row.getString(4),
                row.getString(5),
                row.getBoolean(6),
                row.getObject(7, Long.class),
                row.getObject(8, Long.class),
                row.getObject(9, Long.class),
                row.getBoolean(10),
                row.getObject(11, Long.class),
                row.getLong(12),
                row.getString(13),
                row.getString(14),
                texts(Json.parse(row.getString(15))),
                digest(payload),
                payload.length);
    }

    static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** JSON is shown as JSON: its bytes are known where they were compact. */
    private static byte[] restPayload(JsonNode json) {
        JsonNode payload = json.path("payload");
        if (json.has("payloadBase64")) {
            return Base64.getDecoder().decode(json.path("payloadBase64").textValue());
        }
        boolean isJson = json.path("contentType").asText("").contains("json");
        if (payload.isTextual() && !isJson) {
            return payload.textValue().getBytes(UTF_8);
        }
        return payload.isMissingNode() ? new byte[0] : payload.toString().getBytes(UTF_8);
    }

    private static long utf8(String text) {
        return text == null ? 0 : text.getBytes(UTF_8).length;
    }

    private static Map<String, String> texts(JsonNode json) {
        Map<String, String> texts = new TreeMap<>();
        json.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().textValue()));
        return texts;
    }

    private static Long number(JsonNode json) {
        return json.isNumber() ? (Long) json.longValue() : null;
    }

    private static Long time(JsonNode json) {
        return json.isTextual() ? (Long) Instant.parse(json.textValue()).toEpochMilli() : null;
    }
}
