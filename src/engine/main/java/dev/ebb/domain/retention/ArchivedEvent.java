package dev.ebb.domain.retention;

import dev.ebb.domain.event.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * The last copy of an event that is being deleted. The stream, the id and {@code storedAt} of the event identify it.
 * Immutable if the event is.
 *
 * @param event the event as it was when deleted
 * @param deletedAtMs time at which it is deleted, epoch milliseconds
 * @param cause cause of the delete
 * @param scope the scope of the policy that applies; "event" for an own TTL; empty if a command deletes it
 * @param policyVersion the version of that policy, -1 if it is built in; null if a command deletes it
 * @param sweepId the sweep that deletes it; null if none does
 * @param commandId the command that deletes it; null if none does
 */
public record ArchivedEvent(
        StoredEvent event,
        long deletedAtMs,
        RemovalCause cause,
        String scope,
        @Nullable Long policyVersion,
        @Nullable String sweepId,
        @Nullable String commandId) {

    /** Kafka key of its record, which no other copy has: one without a value takes it away. */
    public String recordKey() {
        return event.event().stream() + "\n" + event.event().id() + "\n" + event.storedAt();
    }
}
