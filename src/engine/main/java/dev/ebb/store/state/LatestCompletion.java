package dev.ebb.store.state;

import org.jspecify.annotations.Nullable;

/**
 * The latest time at which one of the events of a stream was completed. It is known at any time, unless the event that
 * was completed last has gone: then it must be looked for. Not thread-safe.
 */
public final class LatestCompletion {

    private long ms = -1;
    private boolean isStale;

    /** The search in execution 0; null if it is not needed. */
    private @Nullable CompletionSearch search;

    /** Epoch milliseconds; -1 if no event was completed. */
    public long ms() {
        return ms;
    }

    /** Returns true if the time must be looked for anew: until then none is later. */
    public boolean isStale() {
        return isStale;
    }

    /** The search as it was left by the last slice; null if there is none. */
    public @Nullable CompletionSearch search() {
        return search;
    }

    /** Notes the completion time of an event that comes or goes. */
    void note(long completedMs, int sign, boolean isOfRoot) {
        if (sign > 0 && completedMs >= ms) {
            ms = completedMs;
            isStale = false;
        } else if (sign < 0 && completedMs == ms) {
            isStale = true;
        }
        if (isOfRoot && search != null) {
            search.note(completedMs, sign);
        }
    }

    /** Notes the time that a search has found. */
    public void found(long latestMs) {
        ms = latestMs;
        isStale = false;
        search = null;
    }

    /** Notes that the time has to be looked for anew. */
    public void doubt() {
        isStale = true;
    }

    /** Remembers the search for the next slice; null ends it. */
    public void keep(@Nullable CompletionSearch left) {
        search = left;
    }
}
