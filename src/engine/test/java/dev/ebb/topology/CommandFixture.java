package dev.ebb.topology;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Commands and executions for tests, as short as can be. */
public final class CommandFixture {

    private CommandFixture() {}

    public static CommandRequest request(String commandId, Command command) {
        return new CommandRequest(commandId, "anna", "clean-up", false, null, command);
    }

    static CommandRequest dryRun(String commandId, Command command) {
        return new CommandRequest(commandId, "anna", "", true, null, command);
    }

    static CommandRequest planned(String planId, String commandId, Command command) {
        return new CommandRequest(commandId, "anna", "clean-up", false, null, command, planId);
    }

    static CommandRequest atMost(long maxDeletes, String commandId, Command command) {
        return new CommandRequest(commandId, "anna", "clean-up", false, maxDeletes, command);
    }

    static Command delete(String stream) {
        return new Command.DeleteStream(new StreamName(stream), false);
    }

    static Command deleteForced(String stream) {
        return new Command.DeleteStream(new StreamName(stream), true);
    }

    static Command purge(StreamFilter filter) {
        return new Command.PurgeStreams(filter);
    }

    static Command prune(String stream, @Nullable Long keepLast, @Nullable Long completedBeforeMs) {
        return new Command.PruneStream(new StreamName(stream), new PruneCondition(keepLast, completedBeforeMs));
    }

    static Command pruneBulk(StreamFilter filter, @Nullable Long keepLast, @Nullable Long completedBeforeMs) {
        return new Command.PruneStreams(filter, new PruneCondition(keepLast, completedBeforeMs), false);
    }

    static Command deleteEvent(String stream, String id, boolean isForced) {
        return new Command.DeleteEvent(new StreamName(stream), new EventId(id), isForced);
    }

    static Command setTtl(String stream, String id, OwnTtl ttl) {
        return new Command.SetTtl(new StreamName(stream), new EventId(id), ttl, null);
    }

    static Command setTtl(String stream, String id, long ttlMs) {
        return new Command.SetTtl(new StreamName(stream), new EventId(id), OwnTtl.NONE, ttlMs);
    }

    /** Undoes the deletes of that command. */
    static Command undo(String commandId) {
        return new Command.UndoDeletes(new UndoFilter(commandId, null, null, null, null, null, null, null), null);
    }

    static Command repair(String stream) {
        return new Command.RepairStream(new StreamName(stream));
    }

    public static Command sweep(Scope scope) {
        return new Command.SweepNow(scope, null);
    }

    static StreamFilter named(String... streams) {
        List<StreamName> names = Arrays.stream(streams).map(StreamName::new).toList();
        return new StreamFilter(names, null, null, StreamFilter.DEFAULT_LIMIT, false);
    }

    static StreamFilter completedBefore(long ms) {
        return new StreamFilter(null, ms, null, StreamFilter.DEFAULT_LIMIT, false);
    }

    static StreamFilter namespace(String namespace) {
        return new StreamFilter(null, null, namespace, StreamFilter.DEFAULT_LIMIT, false);
    }

    static StreamFilter all(long limit) {
        return new StreamFilter(null, null, null, limit, true);
    }

    static EventUpdate update(String stream, String id, String status) {
        return new EventUpdate(new StreamName(stream), new EventId(id), status, null, null, null);
    }

    static ExecutionUpdate execution(String stream, long number, String status) {
        return new ExecutionUpdate(new StreamName(stream), number, status, null, null, null);
    }

    static ExecutionUpdate execution(String stream, long number, String status, @Nullable Long completedAt) {
        return new ExecutionUpdate(new StreamName(stream), number, status, null, null, completedAt);
    }

    static ExecutionUpdate child(String stream, String parent, String status) {
        return new ExecutionUpdate(new StreamName(stream), 1, status, new StreamName(parent), null, null);
    }

    /** Counts of the command as one line: streams, executions, events, protected ones, skipped. */
    static String counts(CommandResult result) {
        var counts = result.outcome().deletions();
        return String.format(
                "%d of %d streams, %d executions, %d events, %d protected, skipped %s",
                counts.streamsDeleted(),
                counts.streamsProcessed(),
                counts.executionsDeleted(),
                counts.eventsDeleted(),
                counts.protectedEventsDeleted(),
                new TreeMap<>(counts.streamsSkipped()));
    }
}
