package dev.ebb.topology.undo;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.trash.Trashed;
import dev.ebb.topology.trash.TrashedExecution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Executions that come back, each before its first event. Not thread-safe. */
final class TrashedExecutions {

    private final Map<TrashKey, Trashed> waiting = new LinkedHashMap<>();

    /** @param pointMs executions that could be undone only until then stay away, epoch milliseconds */
    TrashedExecutions(List<Trashed> executions, long pointMs) {
        for (Trashed execution : executions) {
            if (execution.deletion().isOpen(pointMs) && read(execution) != null) {
                waiting.put(execution.key().name(), execution);
            }
        }
    }

    /**
     * Returns the execution; null if it cannot be read. It then stays away, and its events come back as those of an
     * undeclared execution.
     */
    static @Nullable TrashedExecution read(Trashed execution) {
        try {
            return TrashedExecution.decode(execution.key().number(), execution.value());
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Returns the execution as it would be after the undo. */
    Execution of(StreamName name, @Nullable StreamState stream, long number) {
        Segment live = stream == null ? null : stream.segment(number);
        if (live != null && live.execution().isDeclared()) {
            return live.execution();
        }
        Trashed trashed = waiting.get(TrashKey.ofExecution(name, number));
        TrashedExecution read = trashed == null ? null : read(trashed);
        return read == null ? Execution.undeclared(number) : read.execution();
    }

    /** Takes out the execution, which is about to come back; returns null if it does not wait. */
    @Nullable
    Trashed take(StreamName stream, long number) {
        return waiting.isEmpty() ? null : waiting.remove(TrashKey.ofExecution(stream, number));
    }

    /** Takes out any execution that waits; returns null if none is left. */
    @Nullable
    Trashed takeNext() {
        var all = waiting.values().iterator();
        Trashed next = all.hasNext() ? all.next() : null;
        if (next != null) {
            all.remove();
        }
        return next;
    }

    /** Returns the executions that wait. */
    Iterable<Trashed> all() {
        return waiting.values();
    }
}
