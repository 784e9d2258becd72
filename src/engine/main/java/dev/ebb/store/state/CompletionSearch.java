package dev.ebb.store.state;

/**
 * A search for the latest completion in slices, kept with its stream. Receives the events that come and go between
 * slices.
 */
public interface CompletionSearch {

    /**
     * Notes that an event of execution 0 has come or gone.
     *
     * @param completedMs the time of its completion, epoch milliseconds
     * @param sign 1 if the event has come, -1 if it has gone
     */
    void note(long completedMs, int sign);
}
