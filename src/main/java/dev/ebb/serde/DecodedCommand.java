package dev.ebb.serde;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Rejection;

/** What a record of the topic of commands turned out to be. */
public sealed interface DecodedCommand {

    /** A command that does not contradict itself. */
    record Good(CommandRequest request) implements DecodedCommand {}

    /** What another partition asks or answers on behalf of a command. */
    record OfErrand(Errand errand) implements DecodedCommand {}

    /**
     * Its schema is not known yet; the registry is being asked in the background.
     *
     * @param what what is waited for, for people
     */
    record Pending(String what) implements DecodedCommand {}

    /**
     * It cannot be carried out, now or later.
     *
     * @param commandId the id by which its sender waits for a result; empty if none can be read
     * @param verb the verb that it names; empty if none can be read
     * @param rejection why; the detail names every fault
     */
    record Bad(String commandId, String verb, Rejection rejection) implements DecodedCommand {}
}
