package dev.ebb.serde.records;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;

/** What a record of the topic of commands turned out to be. */
public sealed interface DecodedCommand {

    /** A command that does not contradict itself. */
    record Good(CommandRequest request) implements DecodedCommand {}

    /** What another partition asks or answers on behalf of a command. */
    record OfErrand(Errand errand) implements DecodedCommand {}

    /**
     * Its schema is not known yet; the registry is being asked in the background.
     *
     * @param waitsFor what it waits for
     */
    record Pending(Wait waitsFor) implements DecodedCommand {

        /** It waits for something that has only been asked for. */
        public Pending(String what) {
            this(Wait.of(what));
        }
    }

    /**
     * It cannot be carried out, now or later.
     *
     * @param commandId the id by which its sender waits for a result; empty if none can be read
     * @param verb the verb that it names; empty if none can be read
     * @param rejection why; the detail names every fault
     */
    record Bad(String commandId, String verb, Rejection rejection) implements DecodedCommand {}
}
