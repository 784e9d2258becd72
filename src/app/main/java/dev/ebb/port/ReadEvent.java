package dev.ebb.port;

import dev.ebb.domain.event.StoredEvent;

/**
 * An event as a reader sees it.
 *
 * @param event the event as stored
 * @param dueAtMs the last millisecond at which the event is shown, under the policies in force, epoch milliseconds;
 *     {@code RetentionDecider.NEVER} if it is never due, or is protected
 * @param isExpired true if the event is due already and therefore shown only on a request for expired events
 * @param isHeld true if a hold covers the event, whether or not it is due
 */
public record ReadEvent(StoredEvent event, long dueAtMs, boolean isExpired, boolean isHeld) {

    /** Creates an event that no hold covers. */
    public ReadEvent(StoredEvent event, long dueAtMs, boolean isExpired) {
        this(event, dueAtMs, isExpired, false);
    }
}
