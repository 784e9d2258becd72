package dev.ebb.port;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Accepts commands and reports their results, wherever they are carried out. Thread-safe. */
public interface CommandDesk {

    /** Sends a command that counts against the limit of callers without a token. */
    default void submit(CommandRequest request) {
        submit(request, "");
    }

    /**
     * Sends the command and waits until the broker has it. A command whose id was sent before is not carried out again.
     *
     * @param caller the caller against whose limit the command counts; empty if callers have no tokens
     * @throws UnavailableException if the broker did not take the command, or did not confirm it
     * @throws EventWriter.TooBigException if the command exceeds the size limit of a record
     * @throws NotReadyException if results cannot be reported yet; the command was not sent
     * @throws TooManyCommandsException if too many commands are unfinished; the command was not sent
     */
    void submit(CommandRequest request, String caller);

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

    /**
     * A report on a command, which no partition may have confirmed.
     *
     * @param partition the partition under whose name the report came; empty if it is not from the topic of results,
     *     but says only that the command was sent
     * @param number the number of the report; no other report of this desk has it
     */
    record Report(CommandResult result, OptionalInt partition, long number) {}

    /** Returns the same report as {@link #await}, with its origin; a wait of zero does not wait. */
    default Optional<Report> report(String commandId, Duration wait) {
        return await(commandId, wait).map(result -> new Report(result, OptionalInt.empty(), 0));
    }

    /**
     * Returns what the partition itself knows of the command, whatever was reported: its result, or a report without
     * progress while it runs; empty if the partition does not know the command.
     *
     * @throws NotReadyException if the partition restores or moves
     * @throws OtherInstanceException if another instance keeps the partition
     */
    default Optional<CommandResult> known(int partition, String commandId) {
        return find(commandId);
    }

    /**
     * Replaces a report that was not confirmed, unless another one has taken its place meanwhile: a question to the
     * partitions takes time, and the outcome may come in between.
     *
     * @param known what that partition knows of the command; null if no partition knows it
     * @return false if another report has taken its place
     */
    default boolean settle(Report denied, int partition, @Nullable CommandResult known) {
        return true;
    }
}
