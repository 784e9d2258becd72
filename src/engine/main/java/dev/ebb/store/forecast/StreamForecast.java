package dev.ebb.store.forecast;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.RemovalListener;

/**
 * A forecast of the events that a sweep would remove from one stream, made in slices without deleting anything. It is
 * exact as long as the stream does not change; changes in the meantime may or may not be counted. Belongs to the thread
 * of the task.
 */
public interface StreamForecast {

    /**
     * Continues until the budget is spent.
     *
     * @param listener receives each event and execution that a sweep would remove, with a copy of the stream without it
     * @return true if the whole stream has been examined
     */
    boolean step(SweepBudget budget, RemovalListener listener);
}
