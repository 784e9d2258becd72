package dev.ebb.topology.assess;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.fault.StreamRound;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Count of a stream that takes all of its events for lost if they cannot be counted: nothing is deleted from a
 * quarantined stream, but its repair ends the quarantine, and by then the change is in force. Not thread-safe.
 */
final class SureCount implements StreamRound.Look {

    private final StreamState stream;
    private final Supplier<StreamRound.Look> begin;
    private final LongConsumer lost;
    private StreamRound.@Nullable Look count;
    private boolean isUncountable;

    /**
     * @param begin begins the count
     * @param lost takes the number of the stream's events if they cannot be counted
     */
    SureCount(StreamState stream, Supplier<StreamRound.Look> begin, LongConsumer lost) {
        this.stream = stream;
        this.begin = begin;
        this.lost = lost;
    }

    /** Continues the count. A failure goes on to the guard, unless that has already quarantined the stream. */
    @Override
    public boolean step(SweepBudget budget) {
        if (stream.quarantine() != null && stream.isMoving()) {
            isUncountable = true; // it stays between two orders
            return true;
        }
        try {
            StreamRound.Look known = count == null ? begin.get() : count;
            count = known;
            return known.step(budget);
        } catch (RuntimeException e) {
            isUncountable = true;
            if (stream.quarantine() == null || !StreamGuard.isOfOne(e)) {
                throw e;
            }
            return true;
        }
    }

    @Override
    public void end() {
        if (isUncountable) {
            lost.accept(stream.totalEvents());
        } else if (count != null) {
            count.end();
        }
    }
}
