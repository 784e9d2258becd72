package dev.ebb.wire.events;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an event that lists show; an answer has all of these that are set.
 *
 * @param expired true if the event is due by age or own TTL, and waits for a sweep
 * @param dueAt the last millisecond by age or own TTL; null if the event is never due
 * @param fate what becomes of the event by age or own TTL, see {@link dev.ebb.domain.retention.Fate}
 */
public record EventRow(
        String stream,
        String id,
        String type,
        @Nullable String status,
        Instant occurredAt,
        Instant storedAt,
        long bytes,
        boolean expired,
        @Nullable Instant dueAt,
        String fate) {

    /** One page; {@code next} goes into {@code after} of the next request and is null on the last page. */
    public record Page(List<EventRow> events, @Nullable String next) {}
}
