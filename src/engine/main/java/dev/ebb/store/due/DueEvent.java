package dev.ebb.store.due;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.StoredEventCodec;

/**
 * An event that age or its own TTL takes.
 *
 * @param stream the stream of the event
 * @param event the header of the event
 * @param lastMs the last millisecond at which no sweep takes the event, {@code minAge} included, epoch milliseconds
 * @param position its position in the order of deletion under the policy
 * @param value the whole event, as it is stored; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DueEvent(StreamName stream, EventHeader event, long lastMs, Position position, byte[] value) {

    /** Returns the place of the event among all that fall due. */
    DueMark mark() {
        return new DueMark(lastMs, stream, position.execution(), position.anchorMs(), position.seq());
    }

    /** Returns the whole event. */
    public StoredEvent stored() {
        return StoredEventCodec.decode(stream, value);
    }
}
