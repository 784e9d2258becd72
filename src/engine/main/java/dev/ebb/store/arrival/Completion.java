package dev.ebb.store.arrival;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.CompletionScan;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * The time at which a stream was completed, as purge needs it. It is known without a look at an event, unless the event
 * that was completed last has gone: then the others are read once, in slices. Not thread-safe.
 */
public final class Completion {

    private final EventTable events;

    public Completion(EventTable events) {
        this.events = events;
    }

    /** Determines the result of {@link #of}; returns false if the budget ended the search. */
    public boolean find(StreamState stream, SweepBudget budget) {
        if (isOfExecutions(stream) || !stream.completion().isStale()) {
            return true;
        }
        CompletionScan scan = scan(stream);
        if (!scan.run(events, budget)) {
            return false;
        }
        stream.completion().found(scan.latestMs());
        return true;
    }

    /**
     * Returns the latest completion of the stream's executions, or of its events if it has no executions, epoch
     * milliseconds; -1 if there never was one. Until {@link #find} has ended, the result is only an upper bound.
     */
    public static long of(StreamState stream) {
        return isOfExecutions(stream)
                ? stream.segments().stream()
                        .map(segment -> segment.execution().completedAt())
                        .mapToLong(Completion::orNever)
                        .max()
                        .orElse(-1)
                : stream.completion().ms();
    }

    /**
     * Determines whether all events of execution 0 were completed before {@code beforeMs}, for {@link #isRootBefore};
     * returns false if the budget ended the search. Events that go while the question stands are not looked for again.
     */
    public boolean findRoot(StreamState stream, long beforeMs, SweepBudget budget) {
        CompletionScan scan = scan(stream);
        return isRootBefore(stream, beforeMs) || scan.run(events, budget);
    }

    /**
     * Returns true if {@link #findRoot} has found that all events of execution 0 were completed before {@code
     * beforeMs}.
     */
    public static boolean isRootBefore(StreamState stream, long beforeMs) {
        return stream.completion().search() instanceof CompletionScan scan
                && scan.isBound()
                && scan.latestMs() < beforeMs;
    }

    private static boolean isOfExecutions(StreamState stream) {
        return stream.executions() != null || stream.root().execution().isDeclared();
    }

    private static CompletionScan scan(StreamState stream) {
        if (stream.completion().search() instanceof CompletionScan known) {
            return known;
        }
        CompletionScan scan = new CompletionScan(stream);
        stream.completion().keep(scan);
        return scan;
    }

    private static long orNever(@Nullable Long completedAt) {
        return completedAt == null ? -1 : completedAt;
    }
}
