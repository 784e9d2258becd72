package dev.ebb.store.layout;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What stands at the front of a stored event: enough to decide about it and to delete it without decoding the rest.
 *
 * @param id the event's id
 * @param storedAt when it was stored, epoch milliseconds
 * @param occurredAt the producer's time, epoch milliseconds
 * @param completedAt when it became terminal, epoch milliseconds; null exactly if it is protected
 * @param ttl what its producer asked for
 * @param isProtected whether its status protects it
 * @param execution the execution it belongs to
 * @param seq its place in the order of arrival
 * @param sizeBytes what it counts against {@code maxBytes}
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
