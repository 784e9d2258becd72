package dev.ebb.api.verify;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.NotReadyException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Repairs by commands. The task of the stream carries them out, so that nothing overtakes them.
 *
 * @param actor the person who asks for the repair; empty if unknown
 * @param reason the reason for the repair; empty if unknown
 */
record RepairCommands(CommandDesk desk, String actor, String reason) implements Repairs {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** Most answers in a row that know nothing of a command, for instance after a restart of an instance. */
    private static final int MAX_UNKNOWN = 120;

    @Override
    public Repaired repair(String stream, List<RowKey> rows, List<Long> executions) {
        var command = new Command.RepairMirror(new StreamName(stream), rows, executions);
        var request = new CommandRequest(UUID.randomUUID().toString(), actor, reason, false, null, command);
        desk.submit(request);
        CommandResult result = await(request.commandId());
        if (result.refusal() == Refusal.NOT_READY) {
            throw new NotReadyException(result.detail(), LOOK_EVERY);
        }
        if (result.refusal() != null) {
            throw new IllegalStateException("the repair of '" + stream + "' was refused: " + result.detail());
        }
        return new Repaired(result.counts().rowsSent(), result.counts().rowsRemoved());
    }

    private CommandResult await(String commandId) {
        int unknown = 0;
        while (unknown < MAX_UNKNOWN && !Thread.currentThread().isInterrupted()) {
            Optional<CommandResult> found = desk.await(commandId, LOOK_EVERY);
            if (found.isPresent() && found.get().isFinal()) {
                return found.get();
            }
            unknown = found.isPresent() ? 0 : unknown + 1;
        }
        throw new IllegalStateException("the command " + commandId + " is no longer known");
    }
}
