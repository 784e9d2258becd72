package dev.ebb.topology.sweep;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.time.Durations;
import dev.ebb.store.EventStore;
import dev.ebb.store.StaleCount;
import dev.ebb.topology.observe.TaskStatus.Stale;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Watch over the work of one task that has been in progress for too long (O-6), in slices. Not thread-safe. */
public final class StaleWatch {

    private static final int SHOWN_STREAMS = 10;

    /** Pause between counts, which go over all streams with work in progress: one every second would be of no use. */
    private static final long REFRESH_MS = 10_000;

    /** Time that a count looks ahead if nothing has changed since the last one, for the longest possible rest. */
    private static final long AHEAD_MS = 100 * REFRESH_MS;

    /** Counts take at most one part in this many of the time, however many streams are at work. */
    private static final long COUNT_SHARE = 20;

    private final EventStore store;
    private final long thresholdMs;
    private Stale shown = Stale.NONE;
    private @Nullable StaleCount count;
    private boolean isCounting;
    private long aheadMs;
    private long changesSeen = -1;
    private long nextCountMs;
    private long pauseMs = REFRESH_MS;
    private long startedMs;

    /** Time before which a count finds nothing new, as long as nothing changes. */
    private long nextStaleMs;

    public StaleWatch(EventStore store, Duration threshold) {
        this.store = store;
        this.thresholdMs = threshold.toMillis();
    }

    /** Counts again every few seconds if there may be something new, as far as the budget goes. */
    public void slice(long nowMs, SweepBudget budget) {
        if (!isDue(nowMs) || budget.isSpent()) {
            return;
        }
        if (!isCounting) {
            aheadMs = store.changes() == changesSeen ? AHEAD_MS : 0;
            changesSeen = store.changes();
            isCounting = true;
            startedMs = nowMs;
        }
        if (store.countStale(nowMs - thresholdMs, aheadMs, budget)) {
            addUp(nowMs, budget);
        }
    }

    private boolean isDue(long nowMs) {
        boolean restsUntilStale = !mayHaveChanged() && nowMs < nextStaleMs;
        return !restsUntilStale && Durations.isOver(nextCountMs, pauseMs, nowMs);
    }

    private boolean mayHaveChanged() {
        return isCounting || store.changes() != changesSeen;
    }

    /** Returns the time of the next count, or of its continuation. */
    public long nextMs() {
        return mayHaveChanged() ? nextCountMs : Math.max(nextCountMs, nextStaleMs);
    }

    /** Returns the result of the last count, which may be some seconds old. */
    public Stale status() {
        return shown;
    }

    private void addUp(long nowMs, SweepBudget budget) {
        StaleCount current = count == null ? store.staleEvents(nowMs - thresholdMs, SHOWN_STREAMS) : count;
        count = current;
        if (current.run(budget)) {
            Map<String, Long> most = new HashMap<>();
            current.most().forEach((stream, events) -> most.put(stream.value(), events));
            shown = new Stale(current.events(), most);
            count = null;
            isCounting = false;
            pauseMs = Math.max(REFRESH_MS, COUNT_SHARE * (nowMs - startedMs));
            nextCountMs = nowMs + pauseMs;
            nextStaleMs = Durations.after(Durations.after(current.nextSinceMs(), thresholdMs), 1);
        }
    }
}
