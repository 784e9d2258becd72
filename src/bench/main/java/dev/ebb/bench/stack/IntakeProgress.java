package dev.ebb.bench.stack;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Progress of the intake over time, and pauses of threads in it. Thread-safe. */
public final class IntakeProgress {

    private final AtomicLongArray lastOffsets;
    private final AtomicLong firstNanos = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong longestGap = new AtomicLong();
    private final AtomicInteger epoch = new AtomicInteger();
    private final ThreadLocal<Last> ofThread = ThreadLocal.withInitial(Last::new);
    private volatile long lastNanos;
    private volatile @Nullable Throwable failure;

    /** The last record that a thread has taken in. */
    private static final class Last {
        private int epoch = -1;
        private long nanos;
    }

    public IntakeProgress(int partitions) {
        lastOffsets = new AtomicLongArray(partitions);
        IntStream.range(0, partitions).forEach(partition -> lastOffsets.set(partition, -1));
    }

    /** Notes a record that has been taken in; called on stream threads for each record. */
    public void taken(int partition, long offset) {
        long now = System.nanoTime();
        Last last = ofThread.get();
        int current = epoch.get();
        if (last.epoch != current) {
            last.epoch = current;
            firstNanos.accumulateAndGet(now, Math::min);
        } else if (now - last.nanos > longestGap.get()) {
            longestGap.accumulateAndGet(now - last.nanos, Math::max);
        }
        last.nanos = now;
        lastNanos = now;
        lastOffsets.lazySet(partition, offset);
    }

    /** Forgets the time of the first record and all pauses of threads. */
    public void reset() {
        firstNanos.set(Long.MAX_VALUE);
        longestGap.set(0);
        epoch.incrementAndGet();
    }

    /** Returns the time at which the first record since the reset was taken in, by the nano clock. */
    public long firstNanos() {
        return firstNanos.get();
    }

    /** Returns the time at which the last record was taken in, by the nano clock. */
    public long lastNanos() {
        return lastNanos;
    }

    /** Returns the time from the first record since the reset to the last. */
    public Duration took() {
        return Duration.ofNanos(lastNanos - firstNanos());
    }

    /** Returns the longest time between two records of a thread since the reset. */
    public Duration longestGap() {
        return Duration.ofNanos(longestGap.get());
    }

    /** Returns the number of records of all partitions that have been taken in without a gap. */
    public long count() {
        return IntStream.range(0, lastOffsets.length())
                .mapToLong(partition -> lastOffsets.get(partition) + 1)
                .sum();
    }

    /** Returns the offset of the last record that was taken in of each partition; -1 where there is none. */
    long[] offsets() {
        return IntStream.range(0, lastOffsets.length())
                .mapToLong(lastOffsets::get)
                .toArray();
    }

    /** @throws VoidRunException if further waiting is useless */
    void check() {
        Throwable reason = failure;
        if (reason != null) {
            throw new VoidRunException("processing failed: " + reason, reason);
        }
    }

    /** Ends all waits, which have become useless. */
    public void failed(Throwable reason) {
        failure = reason;
    }

    /** Waits for the first record since the reset. */
    void awaitFirst(Duration limit) throws InterruptedException {
        await(() -> firstNanos() != Long.MAX_VALUE, limit);
    }

    /** @param offsets the offset of the last record to wait for in each partition; -1 where there is none */
    public void await(long[] offsets, Duration limit) throws InterruptedException {
        await(() -> hasTaken(offsets), limit);
    }

    private void await(BooleanSupplier isSo, Duration limit) throws InterruptedException {
        Awaiting.until(
                () -> {
                    check();
                    return isSo.getAsBoolean();
                },
                limit,
                "the input was not taken in");
    }

    private boolean hasTaken(long[] offsets) {
        return IntStream.range(0, offsets.length)
                .allMatch(partition -> lastOffsets.get(partition) >= offsets[partition]);
    }
}
