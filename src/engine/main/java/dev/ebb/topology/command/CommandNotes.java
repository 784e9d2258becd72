package dev.ebb.topology.command;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.EventStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes on commands that survive a crash: pending work, and the results of finished work (O-11). Not thread-safe. */
final class CommandNotes {

    private static final String STARTED = "started";

    private final EventStore store;

    CommandNotes(EventStore store) {
        this.store = store;
    }

    /** Returns the unique name of a piece of work. */
    static String name(String kind, String commandId) {
        return kind + "/" + commandId;
    }

    /** Saves the state of the work of that name. */
    void save(String name, Object state) {
        store.savePending(name, JsonState.write(state).getBytes(StandardCharsets.UTF_8));
    }

    void forget(String name) {
        store.savePending(name, null);
    }

    /** Returns the states of all pending work of that kind. */
    <T> List<T> pending(String kind, Class<T> type) {
        List<T> states = new ArrayList<>();
        store.pending().forEach((name, value) -> {
            if (name.startsWith(name(kind, ""))) {
                states.add(JsonState.read(new String(value, StandardCharsets.UTF_8), type));
            }
        });
        return states;
    }

    /** Saves the start time of a command whose sender waits for a result. */
    void saveStarted(String commandId, long nowMs) {
        save(name(STARTED, commandId), nowMs);
    }

    void forgetStarted(String commandId) {
        forget(name(STARTED, commandId));
    }

    /** Returns the start time of the command, epoch milliseconds, or the other time if the start is not known. */
    long started(String commandId, long otherwiseMs) {
        byte[] value = store.pending().get(name(STARTED, commandId));
        return value == null ? otherwiseMs : JsonState.read(new String(value, StandardCharsets.UTF_8), Long.class);
    }

    /** Returns the result of a finished command; null if the command is not finished, or its result is forgotten. */
    @Nullable
    CommandResult result(String commandId) {
        byte[] value = store.done(commandId);
        return value == null ? null : JsonState.read(new String(value, StandardCharsets.UTF_8), CommandResult.class);
    }

    void saveResult(CommandResult result, long nowMs) {
        store.saveDone(result.commandId(), JsonState.write(result).getBytes(StandardCharsets.UTF_8), nowMs);
    }

    /** Forgets results from before that time, a few per call. */
    void forgetResults(long beforeMs) {
        store.forgetDone(beforeMs);
    }
}
