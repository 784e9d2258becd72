package dev.ebb.domain.event;

import java.util.Objects;

/**
 * An event as it is stored.
 *
 * @param event the event of the producer, with all updates; its {@code occurredAt} is set, and its {@code completedAt}
 *     is set if and only if the event is not protected
 * @param storedAt the time at which the topology stored the event, epoch milliseconds; never decreasing within a stream
 * @param seq its place in the order of arrival, at least 0; no two events that ever had the stream's name share it
 * @param isProtected true if the event's status protects it (M-3)
 */
public record StoredEvent(Event event, long storedAt, long seq, boolean isProtected) implements EventFacts {

    public StoredEvent {
        if (event.occurredAt() == null) {
            throw new IllegalArgumentException("a stored event has an occurredAt");
        }
        if (isProtected == (event.completedAt() != null)) {
            throw new IllegalArgumentException("a stored event has a completedAt exactly if it is not protected");
        }
    }

    /** Returns the event at another place in the order of arrival. */
    public StoredEvent withSeq(long other) {
        return new StoredEvent(event, storedAt, other, isProtected);
    }

    @Override
    public OwnTtl ttl() {
        return event.ttl();
    }

    @Override
    public long sizeBytes() {
        return event.sizeBytes();
    }

    @Override
    public long anchorMs(Anchor anchor) {
        return anchor.of(storedAt, Objects.requireNonNull(event.occurredAt()), event.completedAt());
    }
}
