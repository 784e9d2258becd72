package dev.ebb.domain.event;

import dev.ebb.domain.Snapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of a stored event; fields that it does not name stay as they are (M-2).
 *
 * @param stream the stream of the event
 * @param id the event
 * @param status the new status; empty makes it a plain fact; null leaves it
 * @param completedAt time at which the event became terminal, epoch milliseconds; null if not named
 * @param ttl replaces all wishes of the producer for its lifetime; null leaves them
 * @param metadata replaces all metadata; null leaves it
 */
public record EventUpdate(
        StreamName stream,
        EventId id,
        @Nullable String status,
        @Nullable Long completedAt,
        @Nullable OwnTtl ttl,
        @Nullable Map<String, String> metadata)
        implements StreamRecord {

    public EventUpdate {
        metadata = metadata == null ? null : Snapshot.of(metadata);
    }
}
