package dev.ebb.store.forecast;

import dev.ebb.store.events.KeepLast;
import dev.ebb.store.layout.Position;

/**
 * Finds the line of {@code keepLast} in a stream without executions whose keys do not lie in the order of the policy.
 * Each pass shows all events that may go, see {@link CutSearch}. Not thread-safe.
 */
public final class LineSearch {

    private final long keep;
    private final CutSearch search;
    private boolean isCounted;
    private long eligible;

    /**
     * @param keep the number of events that the guard keeps
     * @param window the number of positions to sort at once, at least 1
     */
    public LineSearch(long keep, int window) {
        this.keep = keep;
        this.search = new CutSearch(0, window);
    }

    /** Shows an event that may go, once in each pass. */
    public void show(Position position) {
        eligible += isCounted ? 0 : 1;
        search.show(position, 1);
    }

    /** Ends a pass; returns true if the line is known. */
    public boolean endPass() {
        isCounted = true;
        return eligible <= keep || search.endPass(eligible - keep);
    }

    /** Returns the line, once it is known. */
    public KeepLast found() {
        return eligible <= keep ? KeepLast.ALL : KeepLast.from(search.cut());
    }
}
