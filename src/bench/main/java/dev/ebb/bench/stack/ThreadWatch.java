package dev.ebb.bench.stack;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that stream threads spend away from their input: from the return of one poll to the call of the next. Meanwhile
 * they process what they got, punctuate and commit, and whatever comes in waits. Thread-safe.
 */
public final class ThreadWatch {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ThreadLocal<Turn> turns = ThreadLocal.withInitial(Turn::new);
    private final AtomicLong longestPause = new AtomicLong();
    private final AtomicLong longestWork = new AtomicLong();
    private final AtomicLong longestWorkCpu = new AtomicLong();
    private final AtomicLong workCpuNanos = new AtomicLong();
    private final AtomicInteger epoch = new AtomicInteger();

    /** Work of a thread since its last poll. */
    private static final class Turn {
        private long begunNanos;
        private long begunCpuNanos;
        private long committingNanos;
        private int epoch = -1;
    }

    /** Forgets the pauses that were before; a turn that is under way does not count. */
    public void reset() {
        epoch.incrementAndGet();
        longestPause.set(0);
        longestWork.set(0);
        longestWorkCpu.set(0);
    }

    /** A poll has returned on this thread. */
    void polled(long nowNanos) {
        Turn turn = turns.get();
        turn.begunNanos = nowNanos;
        turn.begunCpuNanos = THREADS.getCurrentThreadCpuTime();
        turn.committingNanos = 0;
        turn.epoch = epoch.get();
    }

    /** This thread has spent so long in writing a transaction's end. */
    void committed(long nanos) {
        turns.get().committingNanos += nanos;
    }

    /** A poll is called on this thread. */
    void polls(long nowNanos) {
        Turn turn = turns.get();
        long cpuNanos = turn.epoch < 0 ? 0 : THREADS.getCurrentThreadCpuTime() - turn.begunCpuNanos;
        workCpuNanos.addAndGet(cpuNanos);
        if (turn.epoch == epoch.get()) {
            long away = nowNanos - turn.begunNanos;
            longestPause.accumulateAndGet(away, Math::max);
            longestWork.accumulateAndGet(away - turn.committingNanos, Math::max);
            longestWorkCpu.accumulateAndGet(cpuNanos, Math::max);
        }
    }

    /** The CPU time of all turns of all threads together, those under way not counted. */
    Duration workCpu() {
        return Duration.ofNanos(workCpuNanos.get());
    }

    /** The longest time without a poll. */
    public Duration longestPause() {
        return Duration.ofNanos(longestPause.get());
    }

    /** The longest time without a poll, less the commits, which every application that works exactly once makes. */
    public Duration longestWork() {
        return Duration.ofNanos(longestWork.get());
    }

    /** The most CPU time that a thread used between two polls: on a machine that is busy with others it waits as well. */
    public Duration longestWorkCpu() {
        return Duration.ofNanos(longestWorkCpu.get());
    }
}
