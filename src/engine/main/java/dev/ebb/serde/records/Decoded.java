package dev.ebb.serde.records;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;

/** The result of reading a record of the topic of events. */
public sealed interface Decoded {

    /** An event whose names and own TTL follow the rules; its times have not been checked. */
    record OfEvent(Event event) implements Decoded {}

    /** An update whose names and own TTL follow the rules; its times have not been checked. */
    record OfUpdate(EventUpdate update) implements Decoded {}

    /** An update of an execution whose names follow the rules; its number and times have not been checked. */
    record OfExecution(ExecutionUpdate update) implements Decoded {}

    /**
     * A record whose schema is not known yet; the registry is being asked in the background.
     *
     * @param waitsFor the wait of the record
     */
    record Pending(Wait waitsFor) implements Decoded {}

    /** A record that cannot be used, now or later. */
    record Bad(Rejection rejection) implements Decoded {}
}
