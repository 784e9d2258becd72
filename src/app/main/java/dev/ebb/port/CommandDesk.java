package dev.ebb.port;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import java.time.Duration;
import java.util.Optional;

/** Accepts commands and reports their results, wherever they are carried out. Thread-safe. */
public interface CommandDesk {

    /**
     * Sends the command and waits until the broker has it. A command whose id was sent before is not carried out again.
     *
     * @throws UnavailableException if the broker did not take the command, or did not confirm it
     * @throws EventWriter.TooBigException if the command exceeds the size limit of a record
     * @throws NotReadyException if results cannot be reported yet; the command was not sent
     */
    void submit(CommandRequest request);

    /**
     * Returns the last report on the command; empty if the command is unknown, for instance because it is more than a
     * day old.
     *
     * @throws NotReadyException while the results of the last day have not been read yet
     */
    Optional<CommandResult> find(String commandId);

    /**
     * Returns the last report on the command, as soon as it is final or the wait is over.
     *
     * @param wait the longest time to wait; zero does not wait
     * @throws NotReadyException while the results of the last day have not been read yet
     */
    Optional<CommandResult> await(String commandId, Duration wait);
}
