package dev.ebb.runtime.watch;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices a full heap: what is left after collections takes nearly all of it, so that the process mostly collects, and
 * no answer comes in time. Thread-safe. Must be asked at least a few times a minute.
 */
public final class HeapWatch {

    /** Share of the heap from which on it is full. */
    static final double FULL = 0.9;

    /** Time for which the heap must have been full: a burst of work is no problem. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private final DoubleSupplier share;
    private final LongSupplier nanoTime;
    private @Nullable Long fullSince;

    /** @param share the used share of the heap after the last collection, 0 to 1 */
    public HeapWatch(DoubleSupplier share, LongSupplier nanoTime) {
        this.share = share;
        this.nanoTime = nanoTime;
    }

    /** Returns a watch over the heap of this process. */
    public static HeapWatch ofProcess() {
        List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        return new HeapWatch(() -> share(memory, pools), System::nanoTime);
    }

    /**
     * Returns the share that was used after the last collection of each pool. A pool that is rarely collected may have
     * become emptier since, so the share that is used now is the upper limit.
     */
    private static double share(MemoryMXBean memory, List<MemoryPoolMXBean> pools) {
        MemoryUsage now = memory.getHeapMemoryUsage();
        long left = 0;
        for (MemoryPoolMXBean pool : pools) {
            MemoryUsage collected = pool.getCollectionUsage();
            left += collected == null ? 0 : collected.getUsed();
        }
        return now.getMax() <= 0 ? 0 : (double) Math.min(left, now.getUsed()) / now.getMax();
    }

    /** Returns the used share of the heap after the last collection, 0 to 1. */
    public double share() {
        return share.getAsDouble();
    }

    /** Looks at the heap; returns the reason why the process cannot do its work, or null if it can. */
    public synchronized @Nullable String problem() {
        double used = share();
        if (used <= FULL) {
            fullSince = null;
            return null;
        }
        long now = nanoTime.getAsLong();
        if (fullSince == null) {
            fullSince = now;
        }
        Duration time = Duration.ofNanos(now - fullSince);
        return time.compareTo(PATIENCE) < 0
                ? null
                : "the heap has been full for " + time.toSeconds() + " s: " + Math.round(100 * used)
                        + " % are used after a collection";
    }
}
