package dev.ebb.store.state;

/** Search for the latest completion in slices, kept with its stream and told of events in between. */
public interface CompletionSearch {

    /**
     * An event of execution 0 has come or gone.
     *
     * @param completedMs the time of its completion, epoch milliseconds
     * @param sign 1 if it has come, -1 if it has gone
     */
    void note(long completedMs, int sign);
}
