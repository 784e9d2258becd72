package dev.ebb.topology;

import dev.ebb.domain.retention.SweepBudget;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Shares the time of a stream thread among its tasks: a thread's tasks are punctuated one after the other, so each
 * takes its part of the slice only, or a thread with twenty tasks would pause twenty times as long. Thread-safe.
 */
final class ThreadSlices {

    private final Map<Thread, Integer> busyTasks = new ConcurrentHashMap<>();
    private final int deletes;
    private final long sliceNanos;
    private final LongSupplier nanoClock;

    /**
     * @param deletes the most deletes in one slice
     * @param slice the time of one slice of a thread
     */
    ThreadSlices(int deletes, Duration slice) {
        this(deletes, slice, System::nanoTime);
    }

    ThreadSlices(int deletes, Duration slice, LongSupplier nanoClock) {
        this.deletes = deletes;
        this.sliceNanos = slice.toNanos();
        this.nanoClock = nanoClock;
    }

    /** A task of this thread has something to do from now on. */
    void enter() {
        busyTasks.merge(Thread.currentThread(), 1, Integer::sum);
    }

    /** A task of this thread has nothing more to do. */
    void leave() {
        busyTasks.computeIfPresent(Thread.currentThread(), (thread, tasks) -> tasks == 1 ? null : tasks - 1);
    }

    /** What a task of this thread may spend in one punctuation. */
    SweepBudget budget() {
        int tasks = busyTasks.getOrDefault(Thread.currentThread(), 1);
        return new SweepBudget(deletes, sliceNanos / tasks, nanoClock);
    }
}
