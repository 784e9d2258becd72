package dev.ebb.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.retention.RetentionDecider;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event as it is shown. What is null is left out.
 *
 * @param payload JSON as it was sent, or a text; absent if the payload is empty or neither
 * @param payloadBase64 the bytes of a payload that is neither JSON nor text
 * @param isProtected whether its status keeps retention away from it
 * @param dueAt the last millisecond at which it is shown; absent if it never is due
 * @param expired whether it is due and waits for a sweep
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record EventView(
        String stream,
        String id,
        String type,
        @Nullable String status,
        @Nullable Instant occurredAt,
        @Nullable Instant completedAt,
        Instant storedAt,
        @Nullable Long ttlSeconds,
        @Nullable Instant expiresAt,
        boolean noExpiration,
        @Nullable String correlationId,
        Map<String, String> metadata,
        @Nullable String contentType,
        @JsonRawValue @Nullable String payload,
        @Nullable String payloadBase64,
        long sizeBytes,
        @JsonProperty("protected") boolean isProtected,
        @Nullable Instant dueAt,
        boolean expired) {

    static EventView of(ReadEvent read) {
        Event event = read.event().event();
        PayloadText payload = PayloadText.of(event.contentType(), event.payload());
        return new EventView(
                event.stream().value(),
                event.id().value(),
                event.type(),
                event.status(),
                ApiJson.time(event.occurredAt()),
                ApiJson.time(event.completedAt()),
                Instant.ofEpochMilli(read.event().storedAt()),
                event.ttl().ttlSeconds(),
                ApiJson.time(event.ttl().expiresAt()),
                event.ttl().noExpiration(),
                event.correlationId(),
                event.metadata(),
                event.contentType(),
                payload.json(),
                payload.base64(),
                read.event().sizeBytes(),
                read.event().isProtected(),
                read.dueAtMs() == RetentionDecider.NEVER ? null : Instant.ofEpochMilli(read.dueAtMs()),
                read.isExpired());
    }
}
