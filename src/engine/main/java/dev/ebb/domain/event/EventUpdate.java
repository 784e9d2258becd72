package dev.ebb.domain.event;

import dev.ebb.domain.Snapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change to a stored event; fields that the update does not name keep their values (M-2).
 *
 * @param stream the stream of the event
 * @param id the id of the event
 * @param status the new status; empty makes the event a plain fact; null keeps the status
 * @param completedAt the time at which the event became terminal, epoch milliseconds; null if not named
 * @param ttl the lifetime that replaces all three TTL fields; null keeps them
 * @param metadata the metadata that replaces all metadata; null keeps it
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
