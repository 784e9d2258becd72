package dev.ebb.bench.harness;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The CPU time of slices that find nothing, from the first thing that a slice asks for, which is whether the clock can be
 * trusted, until it tells how its task stands.
 * Thread-safe.
 */
public final class SliceCpu {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ThreadLocal<long[]> begun = ThreadLocal.withInitial(() -> new long[] {-1});
    private final AtomicLong slices = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    /** Something was asked for on this thread; the first time in a slice is its beginning. */
    public void asked() {
        long[] beginning = begun.get();
        if (beginning[0] < 0) {
            beginning[0] = THREADS.getCurrentThreadCpuTime();
        }
    }

    /** The slice on this thread is over. */
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

    /** CPU time of one slice, in microseconds. At least one must have ended. */
    public double microsPerSlice() {
        return nanos.get() / 1e3 / slices.get();
    }
}
