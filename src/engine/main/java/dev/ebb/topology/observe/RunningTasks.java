package dev.ebb.topology.observe;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tasks that work on this instance, from the end of their restoration to the moment in which they are handed over. Their
 * stores are exact, whatever happens to other tasks of the same thread meanwhile. Thread-safe.
 */
public final class RunningTasks implements RetentionObserver {

    /** Returned for a partition without a running task. */
    public static final long NONE = 0;

    private final AtomicLong starts = new AtomicLong();
    private final Map<Integer, Long> startOf = new ConcurrentHashMap<>();

    @Override
    public void taskStarted(int partition) {
        startOf.put(partition, starts.incrementAndGet());
    }

    @Override
    public void taskClosed(int partition) {
        startOf.remove(partition);
    }

    /**
     * Returns the number of the start of the running task of a partition, which no other start has; {@link #NONE} if no
     * such task runs here. The same number before and after a read says that the task ran all the time.
     */
    public long startOf(int partition) {
        return startOf.getOrDefault(partition, NONE);
    }

    /** Returns true if at least one task runs here. */
    public boolean areAny() {
        return !startOf.isEmpty();
    }
}
