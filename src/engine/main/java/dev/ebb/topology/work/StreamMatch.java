package dev.ebb.topology.work;

import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.state.StreamState;

/** Filter of a command over many streams, without the names that it may list. */
public record StreamMatch(EventStore store, StreamFilter filter) {

    public boolean isInNamespace(StreamName name) {
        return filter.namespace() == null || filter.namespace().equals(name.namespace());
    }

    /** Finds the facts about the stream that {@link #matches} needs; returns false if the budget ended the search. */
    public boolean findCompletion(StreamState stream, SweepBudget budget) {
        return filter.completedBeforeMs() == null || store.findCompletion(stream, budget);
    }

    /** Returns true if the stream matches; looks at its completion only if the filter names one. */
    public boolean matches(StreamState stream) {
        Long before = filter.completedBeforeMs();
        long completedMs = before == null ? -1 : store.completionMs(stream);
        return isInNamespace(stream.stream()) && (before == null || (completedMs >= 0 && completedMs < before));
    }
}
