package dev.ebb.port;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.retention.Fate;

/**
 * An event as a reader sees it.
 *
 * @param event the event as stored
 * @param dueAtMs the last millisecond at which the event is shown, under the policies in force, epoch milliseconds;
 *     {@code RetentionDecider.NEVER} if it is never due, or is protected
 * @param isExpired true if the event is due already and therefore shown only on a request for expired events
 * @param fate what becomes of the event by age or own TTL
 */
public record ReadEvent(StoredEvent event, long dueAtMs, boolean isExpired, Fate fate) {}
