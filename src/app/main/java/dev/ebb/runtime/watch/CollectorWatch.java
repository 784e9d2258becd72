package dev.ebb.runtime.watch;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices a process that collects garbage instead of working: a heap so full that collections free next to nothing.
 * Kafka, peers and probes still get answers now and then, so the process would keep its partitions and stand still
 * . Thread-safe. Must be asked every few seconds.
 */
public final class CollectorWatch {

    /** Share of the time from which on the collector takes too much. */
    static final double TOO_MUCH = 0.5;

    /** Time over which the share is taken: a burst of work, or the start, is no problem. */
    static final Duration WINDOW = Duration.ofMinutes(1);

    private final LongSupplier collectedMs;
    private final LongSupplier nanoTime;

    /** Looks of the last minute, and the last one before it. */
    private final Deque<Look> looks = new ArrayDeque<>();

    /** @param collectedMs the time for which collections have stopped the process since its start, in milliseconds */
    public CollectorWatch(LongSupplier collectedMs, LongSupplier nanoTime) {
        this.collectedMs = collectedMs;
        this.nanoTime = nanoTime;
    }

    private record Look(long nanos, long collectedMs) {}

    /** Returns a watch over the collectors of this process. */
    public static CollectorWatch ofProcess() {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        return new CollectorWatch(
                () -> collectors.stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .filter(ms -> ms > 0)
                        .sum(),
                System::nanoTime);
    }

    /**
     * Looks at the collectors; returns the reason why the process must end, or null if it does its work. Null for the
     * first minute.
     */
    public synchronized @Nullable String problem() {
        Look now = new Look(nanoTime.getAsLong(), collectedMs.getAsLong());
        looks.add(now);
        Look before = looks.element();
        while (now.nanos() - before.nanos() >= WINDOW.toNanos()) {
            looks.remove();
            Look next = looks.element();
            if (now.nanos() - next.nanos() < WINDOW.toNanos()) {
                looks.addFirst(before);
                return problem(before, now);
            }
            before = next;
        }
        return null;
    }

    private static @Nullable String problem(Look before, Look now) {
        double took = (double) Duration.ofMillis(now.collectedMs() - before.collectedMs())
                        .toNanos()
                / (now.nanos() - before.nanos());
        return took <= TOO_MUCH
                ? null
                : "garbage collections took " + Math.round(100 * took) + " % of the last "
                        + Duration.ofNanos(now.nanos() - before.nanos()).toSeconds()
                        + " s: the heap is too small for the work. Give the process more memory, or take work from it";
    }
}
