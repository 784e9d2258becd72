package dev.ebb.topology.undo;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.RemovedExecution;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.trash.Trashed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Executions that come back, each before its first event and in its newest form: a later delete than the one that is
 * undone may have taken an execution, and its event has carried it along. Not thread-safe.
 */
final class TrashedExecutions {

    private final TrashSource.Reading reading;
    private final long pointMs;
    private final Map<TrashKey, Trashed> forms = new HashMap<>();
    private final Set<TrashKey> used = new HashSet<>();

    /** The executions that this undo has brought back. */
    private final Set<TrashKey> returned = new HashSet<>();

    /** The executions that come back without an event as well. */
    private final Map<TrashKey, Trashed> own = new LinkedHashMap<>();

    private @Nullable Iterator<Trashed> source;
    private @Nullable Iterator<Trashed> rest;

    /**
     * @param reading reads the executions of the trash
     * @param pointMs executions that could be undone only until then stay away, unless an event carries them, epoch
     *     milliseconds
     */
    TrashedExecutions(TrashSource.Reading reading, long pointMs) {
        this.reading = reading;
        this.pointMs = pointMs;
    }

    /** Looks at the executions as far as the budget goes; returns true if all are known, before which none is given. */
    boolean gather(SweepBudget budget) {
        if (!reading.isIndexed()) {
            return false;
        }
        Iterator<Trashed> left = source == null ? reading.executions().iterator() : source;
        source = left;
        while (left.hasNext()) {
            if (budget.isSpent()) {
                return false;
            }
            add(left.next());
            budget.spendStep();
        }
        return true;
    }

    private void add(Trashed execution) {
        boolean isOpen = execution.isCarried() || execution.deletion().isOpen(pointMs);
        if (isOpen && read(execution) != null) {
            TrashKey name = execution.key().name();
            forms.merge(name, execution, (one, other) -> other.isLaterThan(one) ? other : one);
            if (!execution.isCarried()) {
                own.put(name, execution);
            }
        }
    }

    /**
     * Returns the execution; null if it cannot be read. It then stays away, and its events come back as those of an
     * undeclared execution.
     */
    static @Nullable RemovedExecution read(Trashed execution) {
        try {
            return execution.isOfEvent()
                    ? RemovedExecution.decodeNumbered(execution.value())
                    : RemovedExecution.decode(execution.key().number(), execution.value());
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Notes that the execution comes back; returns false if it did before. */
    boolean returns(Trashed execution) {
        return returned.add(execution.key().name());
    }

    /** Returns true if the trash has lost the record of an execution that an event has carried along. */
    boolean isLost(Trashed execution) {
        return execution.isOfEvent() && !own.containsKey(execution.key().name());
    }

    /** Returns the execution as it would be after the undo. */
    Execution of(StreamName name, @Nullable StreamState stream, long number) {
        Trashed trashed = forms.get(TrashKey.ofExecution(name, number));
        RemovedExecution read = trashed == null || !ReturnRules.isDeclaredAgain(stream, trashed) ? null : read(trashed);
        Segment live = stream == null ? null : stream.segment(number);
        Execution left = live == null ? Execution.undeclared(number) : live.execution();
        return read == null ? left : read.execution();
    }

    /**
     * Returns the execution of an event that is about to come back; null if there is none. Each event may need it: the
     * execution may have gone again since the last one.
     */
    @Nullable
    Trashed use(StreamName stream, long number) {
        if (forms.isEmpty()) {
            return null;
        }
        TrashKey name = TrashKey.ofExecution(stream, number);
        Trashed form = forms.get(name);
        if (form != null) {
            used.add(name);
        }
        return form;
    }

    /** Returns the execution of an event that would come back; null if there is none, or it was given before. */
    @Nullable
    Trashed useOnce(StreamName stream, long number) {
        boolean isKnown = used.contains(TrashKey.ofExecution(stream, number));
        return isKnown ? null : use(stream, number);
    }

    /** Returns the next execution that comes back without an event; null if none is left. */
    @Nullable
    Trashed next() {
        Iterator<Trashed> left = rest == null ? own.values().iterator() : rest;
        rest = left;
        while (left.hasNext()) {
            Trashed next = left.next();
            if (used.add(next.key().name())) {
                return next;
            }
        }
        return null;
    }
}
