package dev.ebb.topology.fault;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.state.StreamState;
import java.util.Iterator;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Look at many streams of one partition in slices: stream after stream, each until nothing more of it is to be seen. Only
 * a stream that is meant is read into memory. A failure is confined to its stream. Not thread-safe.
 */
public final class StreamRound {

    private final StreamGuard guard;
    private final EventStore store;
    private final Iterator<StreamState> rest;
    private final Predicate<StreamState> isMeant;
    private final Function<StreamState, @Nullable Look> looks;
    private @Nullable StreamState current;
    private @Nullable Look look;

    /**
     * @param streams the streams, or copies of them
     * @param isMeant tells of a stream or a copy of it whether there may be something to be seen
     * @param looks begins with a stream; null if nothing is to be seen of it
     */
    public StreamRound(
            StreamGuard guard,
            EventStore store,
            Iterator<StreamState> streams,
            Predicate<StreamState> isMeant,
            Function<StreamState, @Nullable Look> looks) {
        this.guard = guard;
        this.store = store;
        this.rest = streams;
        this.isMeant = isMeant;
        this.looks = looks;
    }

    /** Look at one stream. */
    public interface Look {

        /** Continues as far as the budget goes; returns true if nothing more of the stream is to be seen. */
        boolean step(SweepBudget budget);

        /** Ends the look, which may have failed in its middle. */
        void end();
    }

    /** Continues as far as the budget goes; returns true if all streams have been looked at. */
    public boolean step(long nowMs, SweepBudget budget) {
        while (current != null || rest.hasNext()) {
            if (budget.isSpent()) {
                return false;
            }
            StreamState stream = current == null ? next() : current;
            current = stream;
            if (stream != null && guard.run(stream, nowMs, () -> look(stream, budget))) {
                end();
            }
            budget.spendStep();
        }
        return true;
    }

    /** Returns the next stream; null if nothing of it is to be seen, or it has gone meanwhile. */
    private @Nullable StreamState next() {
        StreamState next = rest.next();
        return isMeant.test(next) ? store.stream(next.stream()) : null;
    }

    private boolean look(StreamState stream, SweepBudget budget) {
        Look begun = look == null ? looks.apply(stream) : look;
        look = begun;
        return begun == null || begun.step(budget);
    }

    private void end() {
        Look ended = look;
        current = null;
        look = null;
        if (ended != null) {
            ended.end();
        }
    }
}
