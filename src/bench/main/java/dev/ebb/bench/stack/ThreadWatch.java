package dev.ebb.bench.stack;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that stream threads spend away from their input: from the return of one poll to the call of the next. Meanwhile
 * they process records, punctuate and commit, and new records wait. Thread-safe.
 */
public final class ThreadWatch {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ThreadLocal<Turn> turns = ThreadLocal.withInitial(Turn::new);
    private final AtomicLong longestWork = new AtomicLong();
    private final AtomicLong workCpuNanos = new AtomicLong();
    private final AtomicInteger epoch = new AtomicInteger();

    /** Work of a thread since its last poll. */
    private static final class Turn {
        private long begunNanos;
        private long begunCpuNanos;
        private long committingNanos;
        private int epoch = -1;
    }

    /** Forgets earlier pauses; a turn under way does not count. */
    public void reset() {
        epoch.incrementAndGet();
        longestWork.set(0);
    }

    /** Notes that a poll has returned on this thread. */
    void polled(long nowNanos) {
        Turn turn = turns.get();
        turn.begunNanos = nowNanos;
        turn.begunCpuNanos = THREADS.getCurrentThreadCpuTime();
        turn.committingNanos = 0;
        turn.epoch = epoch.get();
    }

    /** Notes the time that this thread has spent on the end of a transaction. */
    void committed(long nanos) {
        turns.get().committingNanos += nanos;
    }

    /** Notes that this thread calls a poll. */
    void polls(long nowNanos) {
        Turn turn = turns.get();
        long cpuNanos = turn.epoch < 0 ? 0 : THREADS.getCurrentThreadCpuTime() - turn.begunCpuNanos;
        workCpuNanos.addAndGet(cpuNanos);
        if (turn.epoch == epoch.get()) {
            long away = nowNanos - turn.begunNanos;
            longestWork.accumulateAndGet(away - turn.committingNanos, Math::max);
        }
    }

    /** Returns the CPU time of all turns of all threads, without those under way. */
    Duration workCpu() {
        return Duration.ofNanos(workCpuNanos.get());
    }

    /** Returns the longest time without a poll, less the commits, which every exactly-once application makes. */
    public Duration longestWork() {
        return Duration.ofNanos(longestWork.get());
    }
}
