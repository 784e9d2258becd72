package dev.ebb.serde.records;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;

/** What a record of the topic of results turned out to be. */
public sealed interface DecodedResult {

    /** A result, or news of one that is to come. */
    record Good(CommandResult result) implements DecodedResult {}

    /**
     * Its schema is not known yet; the registry is being asked in the background.
     *
     * @param waitsFor what it waits for
     */
    record Pending(Wait waitsFor) implements DecodedResult {

        /** It waits for something that has only been asked for. */
        public Pending(String what) {
            this(Wait.of(what));
        }
    }

    /** It is no result. */
    record Bad(Rejection rejection) implements DecodedResult {}
}
