package dev.ebb.wire.events;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an event that lists show; an answer has all of them that the event has.
 *
 * @param isProtected true if its status or that of its execution protects it
 * @param expired true if it is due by age or its own TTL, and waits for a sweep
 * @param dueAt its last millisecond by age or own TTL; null if it never is due
 * @param held true if a hold keeps it, due or not
 */
public record EventRow(
        String stream,
        String id,
        String type,
        @Nullable String status,
        Instant occurredAt,
        Instant storedAt,
        long bytes,
        @JsonProperty("protected") boolean isProtected,
        boolean expired,
        @Nullable Instant dueAt,
        boolean held) {

    /** An event that no hold keeps. */
    public EventRow(
            String stream,
            String id,
            String type,
            @Nullable String status,
            Instant occurredAt,
            Instant storedAt,
            long bytes,
            boolean isProtected,
            boolean expired,
            @Nullable Instant dueAt) {
        this(stream, id, type, status, occurredAt, storedAt, bytes, isProtected, expired, dueAt, false);
    }

    /** One page; {@code next} goes into {@code after} of the next request and is null on the last page. */
    public record Page(List<EventRow> events, @Nullable String next) {}
}
