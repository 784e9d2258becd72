package dev.ebb.store.events;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * An event that was removed, or would be.
 *
 * @param stream the stream of the event
 * @param sid the number of the stream; a later stream of its name has a higher one
 * @param event the header of the event
 * @param facts the event as the decision saw it, including its execution
 * @param execution its execution; null if that was never declared
 * @param cause the cause of the removal
 * @param value the whole event, as it was stored
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Removed(
        StreamName stream,
        int sid,
        EventHeader event,
        EventFacts facts,
        @Nullable RemovedExecution execution,
        RemovalCause cause,
        byte[] value) {

    /** Returns the removal of an event of that execution. */
    public static Removed of(Segment segment, EventHeader event, RemovalCause cause, byte[] value) {
        StreamState stream = segment.stream();
        return new Removed(
                stream.stream(), stream.sid(), event, segment.facts(event), RemovedExecution.of(segment), cause, value);
    }

    /** Returns the whole event. */
    public StoredEvent stored() {
        return StoredEventCodec.decode(stream, value);
    }
}
