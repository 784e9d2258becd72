package dev.ebb.topology;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.StaleCount;
import dev.ebb.topology.TaskStatus.Stale;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Follows the work of one task that has been in progress for too long (O-6), in slices. Not thread-safe. */
final class StaleWatch {

    private static final int SHOWN_STREAMS = 10;

    /** Reads what has become stale and goes over all streams with work in progress: nobody needs that every second. */
    private static final long REFRESH_MS = 10_000;

    private final EventStore store;
    private final long thresholdMs;
    private Stale shown = Stale.NONE;
    private @Nullable StaleCount count;
    private long nextCountMs;

    StaleWatch(EventStore store, Duration threshold) {
        this.store = store;
        this.thresholdMs = threshold.toMillis();
    }

    /** Counts anew every few seconds, as far as the budget goes; in between it looks at nothing. */
    void slice(long nowMs, SweepBudget budget) {
        if (nowMs >= nextCountMs && !budget.isSpent() && store.countStale(nowMs - thresholdMs, budget)) {
            addUp(nowMs, budget);
        }
    }

    /** When it counts next, or goes on counting. */
    long nextMs() {
        return nextCountMs;
    }

    /** What was added up last, which may be some seconds ago. */
    Stale status() {
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
            nextCountMs = nowMs + REFRESH_MS;
        }
    }
}
