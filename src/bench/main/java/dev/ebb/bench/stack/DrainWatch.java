package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Sees each record of the input before it is processed, and notes the first and the last. Thread-safe. */
public final class DrainWatch {

    private final long[] lastOffsets;
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch last;
    private final AtomicLong endNanos = new AtomicLong(Long.MIN_VALUE);
    private long beginNanos;
    private volatile boolean hasBegun;
    private volatile @Nullable Throwable failure;

    /** @param lastOffsets the offset of the last record of each partition; -1 where there is none */
    public DrainWatch(long[] lastOffsets) {
        this.lastOffsets = lastOffsets.clone();
        long filled = Arrays.stream(lastOffsets).filter(offset -> offset >= 0).count();
        this.last = new CountDownLatch((int) filled);
    }

    /** Notes a record that is about to be processed; called on stream threads for each record. */
    public void taken(int partition, long offset) {
        if (!hasBegun) {
            begin();
        }
        if (offset == lastOffsets[partition]) {
            endNanos.accumulateAndGet(System.nanoTime(), Math::max);
            last.countDown();
        }
    }

    /** Ends the wait, which has become useless. */
    public void failed(Throwable reason) {
        failure = reason;
        first.countDown();
        while (last.getCount() > 0) {
            last.countDown();
        }
    }

    public void awaitFirst(Duration limit) throws InterruptedException {
        await(first, limit, "no record was taken up");
    }

    public void awaitLast(Duration limit) throws InterruptedException {
        await(last, limit, "the input was not drained");
    }

    /** Returns the time from the first record to the last; may be called once both are known. */
    public Duration took() {
        return Duration.ofNanos(endNanos.get() - beginNanos);
    }

    private synchronized void begin() {
        if (!hasBegun) {
            beginNanos = System.nanoTime();
            hasBegun = true;
            first.countDown();
        }
    }

    private void await(CountDownLatch latch, Duration limit, String otherwise) throws InterruptedException {
        boolean isInTime = latch.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        Throwable reason = failure;
        if (reason != null) {
            throw new VoidRunException("processing failed: " + reason, reason);
        }
        if (!isInTime) {
            throw new VoidRunException(otherwise + " within " + limit.toSeconds() + " s");
        }
    }
}
