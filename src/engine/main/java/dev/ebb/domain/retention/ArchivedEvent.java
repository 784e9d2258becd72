package dev.ebb.domain.retention;

import dev.ebb.domain.event.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * The last copy of an event that is being deleted, identified by the stream, the id and {@code storedAt} of the event.
 * Immutable if the event is.
 *
 * @param event the event as it was when deleted
 * @param deletedAtMs the time of the delete, epoch milliseconds
 * @param cause the cause of the delete
 * @param scope the scope of the policy that applies; "event" for an own TTL; empty for a command
 * @param policyVersion the version of that policy, -1 if it is built in; null for a command
 * @param sweepId the sweep that deletes the event; null if there is none
 * @param commandId the command that deletes the event; null if there is none
 */
public record ArchivedEvent(
        StoredEvent event,
        long deletedAtMs,
        RemovalCause cause,
        String scope,
        @Nullable Long policyVersion,
        @Nullable String sweepId,
        @Nullable String commandId) {

    /** Returns the Kafka key of its record, which is unique; a record with this key and no value removes the copy. */
    public String recordKey() {
        return event.event().stream() + "\n" + event.event().id() + "\n" + event.storedAt();
    }
}
