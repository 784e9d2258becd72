package dev.ebb.topology.fault;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.time.Durations;
import dev.ebb.store.EventStore;
import dev.ebb.topology.observe.RetentionObserver;
import java.util.ArrayList;
import java.util.List;

/**
 * Recount of the figures of one task while it has nothing else to do (I-3); each round and all wrong figures are
 * reported. Each slice does a fixed amount of work, however much the task holds; if nothing has changed since the last
 * round, there is no slice. Not thread-safe.
 */
public final class IdleRecount {

    /** Shortest time between two rounds. A wrong figure stays wrong, so a minute more does not matter. */
    static final long PAUSE_MS = 60_000;

    /** Number of streams, executions and namespaces in one slice, which takes less than a millisecond. */
    static final int MOST_STEPS = 1000;

    private final EventStore store;
    private final RetentionObserver observer;
    private final int partition;
    private final List<String> differences = new ArrayList<>();
    private boolean isCounting;
    private long changesSeen = -1;
    private long nextRoundMs;

    /** @param nowMs time at which the task begins with freshly counted figures, epoch milliseconds */
    public IdleRecount(EventStore store, RetentionObserver observer, int partition, long nowMs) {
        this.store = store;
        this.observer = observer;
        this.partition = partition;
        this.nextRoundMs = Durations.after(nowMs, PAUSE_MS);
    }

    /** Counts for one slice if there may be something to find. */
    public void slice(long nowMs, SweepBudget budget) {
        boolean isDue = isCounting || (mayHaveChanged() && Durations.isOver(nextRoundMs, PAUSE_MS, nowMs));
        if (!isDue || budget.isSpent()) {
            return;
        }
        if (!isCounting) {
            isCounting = true;
            changesSeen = store.changes();
        }
        if (store.recountNamespaces(budget.part(MOST_STEPS), differences::add)) {
            isCounting = false;
            nextRoundMs = Durations.after(nowMs, PAUSE_MS);
            observer.figuresRecounted(partition, List.copyOf(differences));
            differences.clear();
        }
    }

    private boolean mayHaveChanged() {
        return store.changes() != changesSeen;
    }

    /** Returns the time of the next count or slice; {@link Long#MAX_VALUE} if none comes until something changes. */
    public long nextMs() {
        if (isCounting) {
            return 0;
        }
        return mayHaveChanged() ? nextRoundMs : Long.MAX_VALUE;
    }
}
