package dev.ebb.bench.harness;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * CPU time of slices that find nothing: from the first question of a slice, whether the clock can be trusted, to its
 * report of the task's status. Thread-safe.
 */
public final class SliceCpu {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ThreadLocal<long[]> begun = ThreadLocal.withInitial(() -> new long[] {-1});
    private final AtomicLong slices = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    /** Notes a question on this thread; the first one in a slice is its beginning. */
    public void asked() {
        long[] beginning = begun.get();
        if (beginning[0] < 0) {
            beginning[0] = THREADS.getCurrentThreadCpuTime();
        }
    }

    /** Notes the end of the slice on this thread. */
    public void ended() {
        long[] beginning = begun.get();
        if (beginning[0] >= 0) {
            nanos.addAndGet(THREADS.getCurrentThreadCpuTime() - beginning[0]);
            slices.incrementAndGet();
            beginning[0] = -1;
        }
    }

    public void reset() {
        slices.set(0);
        nanos.set(0);
    }

    public long slices() {
        return slices.get();
    }

    /** Returns the CPU time of one slice, in microseconds. At least one slice must have ended. */
    public double microsPerSlice() {
        return nanos.get() / 1e3 / slices.get();
    }
}
