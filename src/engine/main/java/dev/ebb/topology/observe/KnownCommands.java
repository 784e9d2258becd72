package dev.ebb.topology.observe;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.read.ReadOnlyEventStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Commands in the state of a partition: the state alone tells which commands came and what became of them, whatever the
 * topic of results says. Stateless.
 */
public final class KnownCommands {

    private KnownCommands() {}

    /**
     * Returns the saved result of the command, or a report without progress if it is running; empty if the partition has
     * neither begun nor ended it.
     */
    public static Optional<CommandResult> find(ReadOnlyEventStore store, String commandId) {
        byte[] done = store.doneNote(commandId);
        if (done != null) {
            return Optional.of(JsonState.read(new String(done, StandardCharsets.UTF_8), CommandResult.class));
        }
        byte[] started = store.pendingNote(StartedCommand.noteOf(commandId));
        return started == null
                ? Optional.empty()
                : Optional.of(StartedCommand.read(started).running());
    }

    /**
     * Returns commands that the partition has begun and not ended, in the order of their ids.
     *
     * @param limit the most commands of the answer
     */
    public static List<StartedCommand> running(ReadOnlyEventStore store, int limit) {
        return store.pendingNotes(StartedCommand.NOTE, limit).stream()
                .map(StartedCommand::read)
                .toList();
    }
}
