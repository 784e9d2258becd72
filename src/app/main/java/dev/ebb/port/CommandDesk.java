package dev.ebb.port;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import java.time.Duration;
import java.util.Optional;

/** Takes commands in and reports their results, wherever they are carried out. Thread-safe. */
public interface CommandDesk {

    /**
     * Sends the command and waits until the broker has it. A command whose id was sent before is not carried out again.
     *
     * @throws UnavailableException if the broker did not take it, or did not confirm it
     * @throws EventWriter.TooBigException if it is bigger than a record may be
     * @throws NotReadyException if results cannot be reported yet; the command was not sent then
     */
    void submit(CommandRequest request);

    /**
     * The last report on the command; empty if the command is not known, for instance because it is more than a day
     * old.
     *
     * @throws NotReadyException while the results of the last day have not been read yet
     */
    Optional<CommandResult> find(String commandId);

    /**
     * The last report on the command, once it is final or the time is over.
     *
     * @param wait the longest time to wait; zero does not wait
     * @throws NotReadyException while the results of the last day have not been read yet
     */
    Optional<CommandResult> await(String commandId, Duration wait);
}
