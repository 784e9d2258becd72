package dev.ebb.store.arrival;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * What an event or update would make of the store, before anything is written: so that what follows from it can be
 * checked first.
 *
 * @param event the event as it would be stored
 * @param sizeBytes its size
 * @param nowMs the time of its arrival, epoch milliseconds
 * @param policy what is in force for its stream
 * @param displaced an event of the same id that readers do not see any more and that this one takes the place of; null if
 *     there is none
 * @param stream the stream; null if this is its first event
 * @param former where the event of the same id lies; null if there is none
 * @param isUndecided whether it cannot be said yet if readers see that event, see {@code EventStore.isUndecided}: then
 *     nothing must be written
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

    /** Whether the stream gets one event more. */
    public boolean isNew() {
        return former == null;
    }
}
