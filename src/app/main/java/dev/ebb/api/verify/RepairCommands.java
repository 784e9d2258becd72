package dev.ebb.api.verify;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.TooManyCommandsException;
import dev.ebb.port.UnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Repairs by commands. The task of the stream carries them out, so that nothing overtakes them. Where there is no room
 * for a command, or its partition moves, the repair waits and tries again, less and less often. A command that was sent
 * is not sent again because its result cannot be read for a while: each time would be a record on the topic of commands.
 *
 * @param actor the person who asks for the repair; empty if unknown
 * @param reason the reason for the repair; empty if unknown
 */
record RepairCommands(CommandDesk desk, String actor, String reason, Pause pause) implements Repairs {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** Longest silence about a command, for instance after a restart of an instance. */
    private static final Duration MOST_SILENCE = Duration.ofMinutes(10);

    /**
     * Longest wait for room. A silence counts as half of it, so that there are at most two: where nothing is heard, a
     * repair takes up to about twice {@link #MOST_SILENCE}.
     */
    private static final Duration MOST_WAIT = Duration.ofMinutes(10);

    @Override
    public Repaired repair(String stream, List<RowKey> rows, List<Long> executions, Consumer<String> waitsFor) {
        var command = new Command.RepairMirror(new StreamName(stream), rows, executions);
        String id = UUID.randomUUID().toString();
        String problem = "";
        RepairWait wait = new RepairWait(MOST_WAIT, pause);
        while (!wait.isOver()) {
            var request = new CommandRequest(id, actor, reason, false, null, command);
            try {
                CommandResult result = carriedOut(request, waitsFor);
                if (result == null) {
                    wait.spend(MOST_WAIT.dividedBy(2));
                    problem = "nothing is heard of the command " + id;
                } else if (result.refusal() == null) {
                    var done = (Outcome.Repaired) result.outcome();
                    return new Repaired(done.rowsSent(), done.rowsRemoved());
                } else {
                    problem = result.detail();
                    // The result of a command that was not ready stands, so that the next try is another one.
                    id = result.isTurnedAway() ? id : another(stream, result);
                }
            } catch (NotReadyException | TooManyCommandsException | UnavailableException e) {
                problem = String.valueOf(e.getMessage());
            }
            waitsFor.accept(problem);
            wait.pause();
        }
        throw new NotReadyException(
                "the repair of '" + stream + "' has waited for too long: " + problem, RepairWait.FIRST);
    }

    /** Returns another id for a command that may succeed later. */
    private static String another(String stream, CommandResult refused) {
        if (refused.refusal() != Refusal.NOT_READY) {
            throw new IllegalStateException("the repair of '" + stream + "' was refused: " + refused.detail());
        }
        return UUID.randomUUID().toString();
    }

    /** Sends the command, unless it is under way, and waits for its result; null if nothing is heard of it for long. */
    private @Nullable CommandResult carriedOut(CommandRequest request, Consumer<String> waitsFor) {
        desk.submit(request);
        Optional<CommandResult> last = Optional.empty();
        RepairWait silence = new RepairWait(MOST_SILENCE, pause);
        while (!silence.isOver()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException();
            }
            Optional<CommandResult> found;
            try {
                found = desk.await(request.commandId(), LOOK_EVERY);
            } catch (NotReadyException | UnavailableException e) {
                waitsFor.accept(String.valueOf(e.getMessage()));
                silence.pause();
                continue;
            }
            if (found.filter(CommandResult::isFinal).isPresent()) {
                return found.get();
            }
            found.ifPresent(running -> waitsFor.accept(running.detail()));
            if (found.equals(last)) {
                silence.spend(LOOK_EVERY);
            } else {
                silence = new RepairWait(MOST_SILENCE, pause);
            }
            last = found;
        }
        return null;
    }
}
