package dev.ebb.port;

import dev.ebb.domain.event.StoredEvent;

/**
 * An event as it was read.
 *
 * @param event the event as stored
 * @param dueAtMs the last millisecond at which it is shown, under the policies in force, epoch milliseconds; {@code
 *     RetentionDecider.NEVER} if it is never due, or is protected
 * @param isExpired true if the event is due already, and so shown only on a request for expired events
 * @param isHeld true if a hold keeps it, whether or not it is due
 */
public record ReadEvent(StoredEvent event, long dueAtMs, boolean isExpired, boolean isHeld) {

    /** An event that no hold keeps. */
    public ReadEvent(StoredEvent event, long dueAtMs, boolean isExpired) {
        this(event, dueAtMs, isExpired, false);
    }
}
