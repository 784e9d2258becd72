package dev.ebb.it;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import java.util.Map;

/** An event in the making. */
final class Draft {

    private final String stream;
    private final String id;
    private String status;
    private Long occurredAt;
    private Long completedAt;
    private OwnTtl ttl = OwnTtl.NONE;
    private Map<String, String> metadata = Map.of();
    private String contentType;
    private byte[] payload = {};

    Draft(String stream, String id) {
        this.stream = stream;
        this.id = id;
    }

    Draft status(String value) {
        status = value;
        return this;
    }

    Draft occurredAt(long ms) {
        occurredAt = ms;
        return this;
    }

    Draft completedAt(long ms) {
        completedAt = ms;
        return this;
    }

    Draft ttlSeconds(long seconds) {
        ttl = OwnTtl.of(seconds, null, false);
        return this;
    }

    Draft expiresAt(long ms) {
        ttl = OwnTtl.of(null, ms, false);
        return this;
    }

    Draft forEver() {
        ttl = OwnTtl.INFINITE;
        return this;
    }

    Draft metadata(Map<String, String> texts) {
        metadata = texts;
        return this;
    }

    Draft payload(String type, byte[] bytes) {
        contentType = type;
        payload = bytes;
        return this;
    }

    String stream() {
        return stream;
    }

    String id() {
        return id;
    }

    Event build() {
        return new Event(
                new StreamName(stream),
                new EventId(id),
                "t",
                status,
                occurredAt,
                completedAt,
                ttl,
                0,
                null,
                metadata,
                contentType,
                payload);
    }
}
