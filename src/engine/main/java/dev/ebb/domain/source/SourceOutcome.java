package dev.ebb.domain.source;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import org.jspecify.annotations.Nullable;

/** The meaning of a record of a source. */
public sealed interface SourceOutcome {

    /**
     * The record is an event; in a table it replaces the event of its key, wherever that is.
     *
     * @param event the event; its payload is empty unless the source keeps payloads
     */
    record Taken(Event event) implements SourceOutcome {}

    /**
     * The row of a table is gone.
     *
     * @param id the id of its event
     * @param stream the stream of its event; null if only a memory of the source knows it
     */
    record Gone(EventId id, @Nullable StreamName stream) implements SourceOutcome {}

    /**
     * The record is a tombstone that Ebb wrote, known by its headers (F-6).
     *
     * @param id the id of the event that was removed
     * @param judgedOffset the offset of the version that was judged; records of the key behind it and before this
     *     tombstone were overtaken (F-7)
     */
    record Own(EventId id, long judgedOffset) implements SourceOutcome {}

    /** A transformation took the record out. */
    record Dropped() implements SourceOutcome {}

    /**
     * The record is no event; it belongs on the rejected topic, and the rest goes on.
     *
     * @param fault the fault
     * @param id the id of the event of its key in a table: the version that is stored there is not the newest, and must
     *     not be the reason for a delete; null in a log, and for a row without a key
     */
    record Faulty(SourceFault fault, @Nullable EventId id) implements SourceOutcome {}
}
