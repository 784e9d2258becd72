package dev.ebb.topology.undo;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.Collections;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The last executions of a stream, returning ones included: {@code keepLast} keeps some, and caps spare the current one at
 * least. No other execution is looked at, since a stream may have very many. Immutable.
 */
final class LastExecutions {

    private final long keepLast;

    LastExecutions(EffectivePolicy policy) {
        Limit limit = policy.keepLast().value();
        this.keepLast = limit.isNone() ? 0 : limit.value();
    }

    /** Returns the number of executions that {@code keepLast} keeps, or of events in a stream without executions; 0 for none. */
    long keepLast() {
        return keepLast;
    }

    /**
     * Returns the lowest execution that {@code keepLast} keeps once all are back: above all executions if {@code keepLast} is
     * 0, below all if there are no more executions than that.
     *
     * @param returning the executions that come back
     * @param stream the stream as it is; null if there is none
     */
    long lowestKept(NavigableSet<Long> returning, @Nullable StreamState stream) {
        return lowestOfLast(returning, stream, keepLast);
    }

    /** Returns the last execution once all are back, which caps always spare; below all if no execution has a number. */
    long current(NavigableSet<Long> returning, @Nullable StreamState stream) {
        return lowestOfLast(returning, stream, 1);
    }

    /** Returns the lowest of the executions that caps spare as the stream is. */
    long sparedNow(StreamState stream) {
        NavigableSet<Long> none = Collections.emptyNavigableSet();
        return Math.max(0, Math.min(lowestKept(none, stream), current(none, stream)));
    }

    private static long lowestOfLast(NavigableSet<Long> returning, @Nullable StreamState stream, long last) {
        long lowest = Long.MAX_VALUE;
        for (long left = last; left > 0; left--) {
            Long back = returning.lower(lowest);
            Segment there = stream == null ? null : stream.segmentBelow(lowest);
            lowest = Math.max(back == null ? 0 : back, there == null ? 0 : there.number());
            if (lowest == 0) {
                return Long.MIN_VALUE;
            }
        }
        return lowest;
    }
}
