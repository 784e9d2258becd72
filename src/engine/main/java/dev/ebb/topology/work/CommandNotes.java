package dev.ebb.topology.work;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.EventStore;
import dev.ebb.topology.assess.HourBudget;
import dev.ebb.topology.observe.StartedCommand;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Notes on commands that survive a crash: pending work, and the results of finished work (O-11). Not thread-safe. */
public final class CommandNotes implements HourBudget.Notes {

    /** Begins the names of the deletes of erasures, which end with a namespace. */
    private static final String ERASED = "erased/";

    /** Stands between a turn and a state; JSON has no line of its own. */
    private static final char LINE = '\n';

    private final EventStore store;

    public CommandNotes(EventStore store) {
        this.store = store;
    }

    /** Returns the unique name of a piece of work. */
    public static String name(String kind, String commandId) {
        return kind + "/" + commandId;
    }

    /** Writes nothing if the note is as it was. */
    private void write(String name, String note) {
        byte[] value = note.getBytes(StandardCharsets.UTF_8);
        if (!Arrays.equals(value, store.pending().get(name))) {
            store.savePending(name, value);
        }
    }

    public void forget(String name) {
        store.savePending(name, null);
    }

    /**
     * Turn of a piece of work among all work of the partition. Notes are found by name, which says nothing of the order
     * in which commands came (O-9).
     *
     * @param number the place in that order
     * @param outlived the streams of the work that other commands have deleted since it came
     */
    public record Turn(long number, Set<String> outlived) {}

    /** Pending work: its turn and its state. */
    public record Pending<T>(Turn turn, T state) {}

    /** Saves the turn and the state of the work of that name. */
    public void save(String name, Turn turn, Object state) {
        write(name, JsonState.write(turn) + LINE + JsonState.write(state));
    }

    /** Saves another state of pending work, whose turn stays the same. */
    public void update(String name, Object state) {
        byte[] former = Objects.requireNonNull(store.pending().get(name), name);
        save(name, turn(new String(former, StandardCharsets.UTF_8)), state);
    }

    /** Returns all pending work of that kind, by name. */
    public <T> List<Pending<T>> pending(String kind, Class<T> type) {
        List<Pending<T>> found = new ArrayList<>();
        store.pending().forEach((name, value) -> {
            if (name.startsWith(name(kind, ""))) {
                found.add(read(new String(value, StandardCharsets.UTF_8), type));
            }
        });
        return found;
    }

    private static <T> Pending<T> read(String note, Class<T> type) {
        return new Pending<>(turn(note), JsonState.read(note.substring(note.indexOf(LINE) + 1), type));
    }

    private static Turn turn(String note) {
        return JsonState.read(note.substring(0, note.indexOf(LINE)), Turn.class);
    }

    @Override
    public Map<String, byte[]> spent() {
        Map<String, byte[]> spent = new HashMap<>();
        store.pending().forEach((name, deletes) -> {
            if (name.startsWith(ERASED)) {
                spent.put(name.substring(ERASED.length()), deletes);
            }
        });
        return spent;
    }

    @Override
    public void saveSpent(String namespace, byte @Nullable [] deletes) {
        store.savePending(ERASED + namespace, deletes);
    }

    /** Saves the start of a command whose sender waits for a result. */
    public void saveStarted(CommandRequest request, long nowMs) {
        write(StartedCommand.noteOf(request.commandId()), JsonState.write(StartedCommand.of(request, nowMs)));
    }

    public void forgetStarted(String commandId) {
        forget(StartedCommand.noteOf(commandId));
    }

    /** Returns the start time of the command, epoch milliseconds, or the other time if the start is not known. */
    public long started(String commandId, long otherwiseMs) {
        byte[] value = store.pending().get(StartedCommand.noteOf(commandId));
        return value == null ? otherwiseMs : StartedCommand.read(value).startedMs();
    }

    /** Returns the result of a finished command; null if the command is not finished, or its result is forgotten. */
    @Nullable
    public CommandResult result(String commandId) {
        byte[] value = store.done(commandId);
        return value == null ? null : JsonState.read(new String(value, StandardCharsets.UTF_8), CommandResult.class);
    }

    public void saveResult(CommandResult result, long nowMs) {
        store.saveDone(result.commandId(), JsonState.write(result).getBytes(StandardCharsets.UTF_8), nowMs);
    }

    /** Forgets results from before that time, a few per call. */
    public void forgetResults(long beforeMs) {
        store.forgetDone(beforeMs);
    }
}
