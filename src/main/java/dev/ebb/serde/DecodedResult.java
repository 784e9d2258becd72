package dev.ebb.serde;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.Rejection;

/** What a record of the topic of results turned out to be. */
public sealed interface DecodedResult {

    /** A result, or news of one that is to come. */
    record Good(CommandResult result) implements DecodedResult {}

    /**
     * Its schema is not known yet; the registry is being asked in the background.
     *
     * @param what what is waited for, for people
     */
    record Pending(String what) implements DecodedResult {}

    /** It is no result. */
    record Bad(Rejection rejection) implements DecodedResult {}
}
