package dev.ebb.topology;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.topology.TaskStatus.Stale;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Follows the work of one task that has been in progress for too long (O-6), in slices. Not thread-safe. */
final class StaleWatch {

    private static final int SHOWN_STREAMS = 10;

    /** Adding up goes over all streams with stale work, and nobody needs it every second. */
    private static final long REFRESH_MS = 10_000;

    private final EventStore store;
    private final long thresholdMs;
    private Stale shown = Stale.NONE;
    private long shownAtMs = -REFRESH_MS;

    StaleWatch(EventStore store, Duration threshold) {
        this.store = store;
        this.thresholdMs = threshold.toMillis();
    }

    /** Counts on, as far as the budget goes. */
    void slice(long nowMs, SweepBudget budget) {
        if (!budget.isSpent()) {
            store.countStale(nowMs - thresholdMs, budget);
        }
    }

    /** What has been counted, a few seconds ago at most. */
    Stale status(long nowMs) {
        if (nowMs - shownAtMs >= REFRESH_MS) {
            shown = count(nowMs);
            shownAtMs = nowMs;
        }
        return shown;
    }

    private Stale count(long nowMs) {
        Map<StreamName, Long> byStream = store.staleEvents(nowMs - thresholdMs);
        long events = byStream.values().stream().mapToLong(Long::longValue).sum();
        Map<String, Long> most = new HashMap<>();
        byStream.entrySet().stream()
                .sorted(Map.Entry.<StreamName, Long>comparingByValue().reversed())
                .limit(SHOWN_STREAMS)
                .forEach(entry -> most.put(entry.getKey().value(), entry.getValue()));
        return new Stale(events, most);
    }
}
