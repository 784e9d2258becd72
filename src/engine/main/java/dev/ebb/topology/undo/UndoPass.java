package dev.ebb.topology.undo;

import dev.ebb.domain.retention.SweepBudget;

/** A pass through what an undo means in one partition. Not thread-safe. */
public interface UndoPass extends AutoCloseable {

    /** Goes on as far as the budget goes and events were read; returns true at the end. */
    boolean slice(long nowMs, SweepBudget budget);

    /** The findings so far. */
    UndoTally tally();

    @Override
    void close();
}
