package dev.ebb.simulation;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.RetentionModelStream.Kept;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Events of the model as they appear in SQL and in the store. Stateless. */
final class Rows {

    private Rows() {}

    static byte[] of(Kept kept) {
        Event event = new Event(
                new StreamName(kept.stream),
                new EventId(kept.id),
                kept.type,
                kept.status,
                kept.occurredAt,
                kept.completedAt,
                kept.ttl,
                kept.execution,
                Inputs.CORRELATION,
                kept.metadata,
                null,
                kept.payload);
        return Instance.rows().eventRow(new StoredEvent(event, kept.storedAt, kept.seq, kept.isPinned));
    }

    /** A difference between the store and the model; null if there is none. */
    static @Nullable String difference(StoredEvent stored, Kept kept) {
        Event event = stored.event();
        if (stored.storedAt() != kept.storedAt) {
            return "stored at " + stored.storedAt() + ", must be " + kept.storedAt;
        }
        if (stored.isProtected() != kept.isPinned || !Objects.equals(event.status(), kept.status)) {
            return "has the status " + event.status() + ", must be " + kept.status;
        }
        if (!Objects.equals(event.completedAt(), kept.completedAt)) {
            return "completed at " + event.completedAt() + ", must be " + kept.completedAt;
        }
        if (!Objects.equals(event.occurredAt(), kept.occurredAt)) {
            return "occurred at " + event.occurredAt() + ", must be " + kept.occurredAt;
        }
        if (!event.ttl().equals(kept.ttl) || event.execution() != kept.execution) {
            return "has " + event.ttl() + " of " + event.execution() + ", must be " + kept.ttl + " of "
                    + kept.execution;
        }
        if (!event.metadata().equals(kept.metadata)
                || event.payload().length != kept.payload.length
                || stored.sizeBytes() != kept.size) {
            return "has " + stored.sizeBytes() + " bytes, must be " + kept.size;
        }
        return null;
    }
}
