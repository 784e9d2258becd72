package dev.ebb.serde.records;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;

/** The result of reading a record of the topic of results. */
public sealed interface DecodedResult {

    /** A result of a command, or a report of its progress. */
    record Good(CommandResult result) implements DecodedResult {}

    /**
     * A record whose schema is not known yet; the registry is being asked in the background.
     *
     * @param waitsFor the wait of the record
     */
    record Pending(Wait waitsFor) implements DecodedResult {

        /** Creates the result of a record that waits for the registry's answer about {@code what}. */
        public Pending(String what) {
            this(Wait.of(what));
        }
    }

    /** A record that is not a result. */
    record Bad(Rejection rejection) implements DecodedResult {}
}
