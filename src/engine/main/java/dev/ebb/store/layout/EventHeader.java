package dev.ebb.store.layout;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The front part of a stored event: enough to decide about the event and to delete it without decoding the rest.
 *
 * @param id the event's id
 * @param storedAt the time at which the event was stored, epoch milliseconds
 * @param occurredAt the producer's time, epoch milliseconds
 * @param completedAt the time at which the event became terminal, epoch milliseconds; null if and only if it is
 *     protected
 * @param ttl the own TTL that its producer asked for
 * @param isProtected true if the event's status protects it
 * @param execution the number of the event's execution
 * @param seq the place in the order of arrival
 * @param sizeBytes the size that counts against {@code maxBytes}
 */
public record EventHeader(
        String id,
        long storedAt,
        long occurredAt,
        @Nullable Long completedAt,
        OwnTtl ttl,
        boolean isProtected,
        long execution,
        long seq,
        long sizeBytes)
        implements EventFacts {

    @Override
    public long anchorMs(Anchor anchor) {
        return anchor.of(storedAt, occurredAt, completedAt);
    }

    public EventHeader withTtl(OwnTtl other) {
        return new EventHeader(id, storedAt, occurredAt, completedAt, other, isProtected, execution, seq, sizeBytes);
    }

    public static EventHeader of(StoredEvent stored, long sizeBytes) {
        Event event = stored.event();
        return new EventHeader(
                event.id().value(),
                stored.storedAt(),
                Objects.requireNonNull(event.occurredAt()),
                event.completedAt(),
                event.ttl(),
                stored.isProtected(),
                event.execution(),
                stored.seq(),
                sizeBytes);
    }
}
