package dev.ebb.serde.records;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;

/** The result of reading a record of the topic of commands. */
public sealed interface DecodedCommand {

    /** A command that does not contradict itself. */
    record Good(CommandRequest request) implements DecodedCommand {}

    /** A question or an answer of another partition on behalf of a command. */
    record OfErrand(Errand errand) implements DecodedCommand {}

    /**
     * A record whose schema is not known yet; the registry is being asked in the background.
     *
     * @param waitsFor the wait of the record
     */
    record Pending(Wait waitsFor) implements DecodedCommand {}

    /**
     * A record that cannot be carried out, now or later.
     *
     * @param commandId the id by which its sender waits for a result; empty if it cannot be read
     * @param verb the verb of the command; empty if it cannot be read
     * @param rejection the reason; its detail names every fault
     */
    record Bad(String commandId, String verb, Rejection rejection) implements DecodedCommand {}
}
