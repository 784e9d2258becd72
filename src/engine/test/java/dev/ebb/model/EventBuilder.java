package dev.ebb.model;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import java.util.Map;

/** Events for tests: a plain fact of one payload byte unless the test says otherwise. */
public final class EventBuilder {

    private final StreamName stream;
    private final EventId id;
    private String type = "t";
    private String status;
    private Long occurredAt;
    private Long completedAt;
    private OwnTtl ttl = OwnTtl.NONE;
    private long execution;
    private String correlationId;
    private Map<String, String> metadata = Map.of();
    private String contentType;
    private byte[] payload = {1};

    private EventBuilder(StreamName stream, EventId id) {
        this.stream = stream;
        this.id = id;
    }

    public static EventBuilder event(String stream, String id) {
        return new EventBuilder(new StreamName(stream), new EventId(id));
    }

    public EventBuilder type(String value) {
        type = value;
        return this;
    }

    public EventBuilder status(String value) {
        status = value;
        return this;
    }

    public EventBuilder occurredAt(Long ms) {
        occurredAt = ms;
        return this;
    }

    public EventBuilder completedAt(Long ms) {
        completedAt = ms;
        return this;
    }

    public EventBuilder ttl(OwnTtl value) {
        ttl = value;
        return this;
    }

    public EventBuilder ttlSeconds(long seconds) {
        return ttl(OwnTtl.of(seconds, null, false));
    }

    public EventBuilder expiresAt(long ms) {
        return ttl(OwnTtl.of(null, ms, false));
    }

    public EventBuilder noExpiration() {
        return ttl(OwnTtl.INFINITE);
    }

    public EventBuilder execution(long number) {
        execution = number;
        return this;
    }

    public EventBuilder correlationId(String value) {
        correlationId = value;
        return this;
    }

    public EventBuilder metadata(Map<String, String> value) {
        metadata = value;
        return this;
    }

    public EventBuilder contentType(String value) {
        contentType = value;
        return this;
    }

    public EventBuilder payload(byte[] value) {
        payload = value;
        return this;
    }

    public EventBuilder payloadBytes(int size) {
        return payload(new byte[size]);
    }

    public Event build() {
        return new Event(
                stream,
                id,
                type,
                status,
                occurredAt,
                completedAt,
                ttl,
                execution,
                correlationId,
                metadata,
                contentType,
                payload);
    }

    /** The event as it is kept if it came at that time; its other times are that time unless they are set. */
    public StoredEvent stored(long storedAt) {
        return stored(storedAt, 0);
    }

    public StoredEvent stored(long storedAt, long seq) {
        boolean isProtected = !TerminalStatuses.DEFAULT.isTerminal(status);
        occurredAt = occurredAt == null ? Long.valueOf(storedAt) : occurredAt;
        completedAt = isProtected ? null : completedAt == null ? Long.valueOf(storedAt) : completedAt;
        return new StoredEvent(build(), storedAt, seq, isProtected);
    }
}
