package dev.ebb.runtime.writes;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.NotReadyException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Sends commands to their topic and receives their results from the topic of results. */
public final class KafkaCommandDesk implements CommandDesk {

    private final KafkaCommandPublisher publisher;
    private final LatestResults results;
    private final States states;
    private final SentCommands sent;
    private final BooleanSupplier isReady;
    private final Clock clock;

    /** @param isReady returns true once the results include those from before the start of the instance */
    public KafkaCommandDesk(
            KafkaCommandPublisher publisher,
            LatestResults results,
            States states,
            SentCommands sent,
            BooleanSupplier isReady,
            Clock clock) {
        this.publisher = publisher;
        this.results = results;
        this.states = states;
        this.sent = sent;
        results.whenFinal(sent::leave);
        this.isReady = isReady;
        this.clock = clock;
    }

    /** Knows the commands in the states of partitions; see {@link CommandDesk#known}. */
    @FunctionalInterface
    public interface States {

        Optional<CommandResult> find(int partition, String commandId);
    }

    @Override
    public void submit(CommandRequest request, String caller) {
        requireReady();
        String commandId = request.commandId();
        boolean isEnded = results.find(commandId)
                .filter(known -> known.isFinal() && !known.isTurnedAway())
                .isPresent();
        if (!isEnded) {
            sent.enter(request, caller);
        }
        // Before it is sent: the answer may be faster than the acknowledgement of the broker, and must stay.
        Optional<Report> begun = results.putIfAbsent(sent(request));
        try {
            publisher.send(request);
        } catch (RuntimeException e) {
            sent.leave(commandId);
            begun.ifPresent(results::takeBack);
            throw e;
        }
    }

    @Override
    public Optional<CommandResult> find(String commandId) {
        requireReady();
        return results.find(commandId);
    }

    @Override
    public Optional<CommandResult> await(String commandId, Duration wait) {
        requireReady();
        return results.await(commandId, wait);
    }

    @Override
    public Optional<Report> report(String commandId, Duration wait) {
        requireReady();
        return results.report(commandId, wait);
    }

    @Override
    public Optional<CommandResult> known(int partition, String commandId) {
        return states.find(partition, commandId);
    }

    @Override
    public boolean settle(Report denied, int partition, @Nullable CommandResult known) {
        return results.settle(denied, partition, known);
    }

    private void requireReady() {
        if (!isReady.getAsBoolean()) {
            throw new NotReadyException("the results of commands are not read yet", Duration.ofSeconds(1));
        }
    }

    /** Returns the result that stands until the command is begun, so that a caller does not find none. */
    private CommandResult sent(CommandRequest request) {
        return new CommandResult(
                request.commandId(),
                request.command().verb(),
                CommandResult.State.RUNNING,
                null,
                "sent, and not begun yet",
                request.isDryRun(),
                Outcome.nothing(),
                clock.millis(),
                request.fingerprint());
    }
}
