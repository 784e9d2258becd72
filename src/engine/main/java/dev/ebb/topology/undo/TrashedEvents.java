package dev.ebb.topology.undo;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.trash.Trashed;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Events of a reading, one by one, over any number of slices. Not thread-safe. */
final class TrashedEvents {

    private static final int BATCH = 256;

    private final TrashSource.Reading reading;
    private final Deque<Trashed> taken = new ArrayDeque<>();

    TrashedEvents(TrashSource.Reading reading) {
        this.reading = reading;
    }

    /** Returns the next event; null if none was read yet, none is left, or the budget is spent. */
    @Nullable
    Trashed next(SweepBudget budget) {
        if (budget.isSpent()) {
            return null;
        }
        if (taken.isEmpty()) {
            taken.addAll(reading.take(BATCH));
        }
        return taken.poll();
    }

    /** Returns true if all events have been taken. */
    boolean isDone() {
        return taken.isEmpty() && reading.isDone();
    }
}
