package dev.ebb.store.state;

import org.jspecify.annotations.Nullable;

/**
 * The latest time at which one of the events of a stream was completed. It is always known, unless the event that was
 * completed last has gone: then a search must find the time. Not thread-safe.
 */
public final class LatestCompletion {

    private long ms = -1;
    private boolean isStale;

    /** The search in execution 0; null if none is needed. */
    private @Nullable CompletionSearch search;

    /** Returns the time, epoch milliseconds; -1 if no event was completed. */
    public long ms() {
        return ms;
    }

    /** Returns true if a search must find the time; until its end, the known time is an upper bound. */
    public boolean isStale() {
        return isStale;
    }

    /** Returns the search as the last slice left it; null if there is none. */
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

    /** Notes that a search must find the time. */
    public void doubt() {
        isStale = true;
    }

    /** Remembers the search for the next slice; null ends it. */
    public void keep(@Nullable CompletionSearch left) {
        search = left;
    }
}
