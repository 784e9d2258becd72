package dev.ebb.topology.undo;

import dev.ebb.domain.retention.SweepBudget;
import org.jspecify.annotations.Nullable;

/** A pass through what an undo means in one partition. Not thread-safe. */
public interface UndoPass extends AutoCloseable {

    /** Goes on as far as the budget goes and events were read; returns true at the end. */
    boolean slice(long nowMs, SweepBudget budget);

    /** Reason why it cannot go on; null if there is none. */
    @Nullable
    String problem();

    /** The findings so far. */
    UndoTally tally();

    @Override
    void close();
}
