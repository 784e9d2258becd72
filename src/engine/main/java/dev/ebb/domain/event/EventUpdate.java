package dev.ebb.domain.event;

import dev.ebb.domain.Snapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of a stored event; what it does not name stays as it is (M-2).
 *
 * @param stream the stream of the event
 * @param id the event
 * @param status the new status; empty makes it a plain fact; null leaves it
 * @param completedAt when it became terminal, epoch milliseconds; null if not named
 * @param ttl replaces all that the producer asked for its lifetime; null leaves it
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
