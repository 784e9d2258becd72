package dev.ebb.serde.records;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;

/** What a record of the topic of events turned out to be. */
public sealed interface Decoded {

    /** An event whose names and own TTL keep the rules; its times have not been looked at. */
    record OfEvent(Event event) implements Decoded {}

    /** An update whose names and own TTL keep the rules; its times have not been looked at. */
    record OfUpdate(EventUpdate update) implements Decoded {}

    /** The state of an execution whose names keep the rules; its number and times have not been looked at. */
    record OfExecution(ExecutionUpdate update) implements Decoded {}

    /**
     * Its schema is not known yet; the registry is being asked in the background.
     *
     * @param waitsFor what it waits for
     */
    record Pending(Wait waitsFor) implements Decoded {

        /** It waits for something that has only been asked for. */
        public Pending(String what) {
            this(Wait.of(what));
        }
    }

    /** It cannot be used, now or later. */
    record Bad(Rejection rejection) implements Decoded {}
}
