package dev.ebb.store.arrival;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Changes that an event or update would make to the store, before anything is written, so that their consequences can
 * be checked first.
 *
 * @param event the event as it would be stored
 * @param sizeBytes its size
 * @param nowMs the time of its arrival, epoch milliseconds
 * @param policy the policy in force for its stream
 * @param displaced an event of the same id that readers no longer see and that this one replaces; null if there is none
 * @param stream the stream; null if this is its first event
 * @param former the place of the stored event of the same id; null if there is none
 * @param isUndecided true if it cannot be said yet if readers see that event, see {@code EventStore.isUndecided}: then
 * nothing must be written
 */
public record Arrival(
        StoredEvent event,
        long sizeBytes,
        long nowMs,
        EffectivePolicy policy,
        @Nullable Removed displaced,
        @Nullable StreamState stream,
        @Nullable Found former,
        boolean isUndecided) {

    /** Returns true if the stream gets one event more. */
    public boolean isNew() {
        return former == null;
    }

    /** Returns true if the event has no row yet: it replaces none that readers still see. */
    public boolean hasNewRow() {
        return former == null || displaced != null;
    }
}
