package dev.ebb.store.due;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.StoredEventCodec;

/**
 * An event that age or its own TTL takes.
 *
 * @param stream the stream of the event
 * @param event the header of the event
 * @param lastMs the last millisecond at which no sweep takes the event, {@code minAge} included, epoch milliseconds
 * @param value the whole event, as it is stored; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DueEvent(StreamName stream, EventHeader event, long lastMs, byte[] value) {

    /** Returns the whole event. */
    public StoredEvent stored() {
        return StoredEventCodec.decode(stream, value);
    }
}
