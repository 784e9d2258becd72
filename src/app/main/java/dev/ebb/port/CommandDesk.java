package dev.ebb.port;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import java.time.Duration;
import java.util.Optional;

/** Takes commands in and tells what became of them, wherever they are carried out. Thread-safe. */
public interface CommandDesk {

    /**
     * Sends the command and waits until the broker has it. A command whose id was sent before is not carried out again.
     *
     * @throws UnavailableException if the broker did not take it, or did not say so
     * @throws EventWriter.TooBigException if it is bigger than a record may be
     * @throws NotReadyException if results cannot be told yet; the command was not sent then
     */
    void submit(CommandRequest request);

    /**
     * What was said last about the command; empty if nothing is known of it, for instance because it is more than a day
     * old.
     *
     * @throws NotReadyException while the results of the last day have not been read yet
     */
    Optional<CommandResult> find(String commandId);

    /**
     * The same, once it is final or the time is over.
     *
     * @param wait how long to wait at most; zero does not wait
     * @throws NotReadyException while the results of the last day have not been read yet
     */
    Optional<CommandResult> await(String commandId, Duration wait);
}
