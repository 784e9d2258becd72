package dev.ebb.port;

import dev.ebb.domain.event.StoredEvent;

/**
 * An event as it was read.
 *
 * @param event what is stored
 * @param dueAtMs the last millisecond at which it is shown, under the policies in force, epoch milliseconds;
 *     {@code RetentionDecider.NEVER} if it never is due or is protected
 * @param isExpired whether it is due already, and shown to nobody who does not ask for expired ones
 */
public record ReadEvent(StoredEvent event, long dueAtMs, boolean isExpired) {}
