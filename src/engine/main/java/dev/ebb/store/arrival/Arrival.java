package dev.ebb.store.arrival;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.Removed;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * The changes that an event or update would make to the store, before anything is written, so that their consequences
 * can be checked first.
 *
 * @param event the event as it would be stored
 * @param sizeBytes the size of the event in bytes
 * @param nowMs the time of its arrival, epoch milliseconds
 * @param policy the policy in force for its stream
 * @param displaced the event of the same id that readers no longer see and that this one replaces; null if there is
 *     none
 * @param stream the stream; null if this is its first event
 * @param former the place of the stored event of the same id; null if there is none
 * @param isUndecided true if it is still open whether readers see the former event, see {@code EventStore.isUndecided}:
 *     then nothing must be written
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

    /** Returns true if the arrival adds an event to the stream. */
    public boolean isNew() {
        return former == null;
    }
}
