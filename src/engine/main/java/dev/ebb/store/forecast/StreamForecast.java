package dev.ebb.store.forecast;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.RemovalListener;

/**
 * Forecast of the events that a sweep would remove from one stream, made in slices while nothing is deleted. It is
 * exact as long as the stream stays as it is; changes in the meantime may be counted or not. Belongs to the thread of
 * the task.
 */
public interface StreamForecast {

    /**
     * Goes on as far as the budget goes.
     *
     * @param listener is told of each event and execution that a sweep would remove, with a copy of the stream in which
     *     it is gone
     * @return true if all of the stream has been looked at
     */
    boolean step(SweepBudget budget, RemovalListener listener);
}
