package dev.ebb.topology.undo;

import dev.ebb.domain.retention.SweepBudget;
import org.jspecify.annotations.Nullable;

/** Pass through the records that an undo means in one partition. Not thread-safe. */
interface UndoPass extends AutoCloseable {

    /** Continues as far as the budget goes and events were read; returns true at the end. */
    boolean slice(long nowMs, SweepBudget budget);

    /** Returns the reason why the pass cannot go on; null if there is none. */
    @Nullable
    String problem();

    @Override
    public void close();
}
