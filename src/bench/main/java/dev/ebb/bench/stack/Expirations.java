package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Knows when the first and the last of some events expired. Thread-safe. */
public final class Expirations {

    /** Time that all of a measurement may take. */
    public static final Duration LIMIT = Duration.ofMinutes(10);

    private volatile Expected expected = new Expected(Long.MAX_VALUE);
    private volatile @Nullable Throwable failure;

    private static final class Expected {

        private final long events;
        private final AtomicLong count = new AtomicLong();
        private final CountDownLatch all;
        private volatile long firstNanos;
        private volatile long lastNanos;
        private volatile Runnable onFirst = () -> {};
        private volatile Runnable onLast = () -> {};

        Expected(long events) {
            this.events = events;
            this.all = new CountDownLatch(events == 0 ? 0 : 1);
        }
    }

    /** Begins to count anew: so many are to expire. */
    public void expect(long events) {
        expected = new Expected(events);
    }

    /** Sets an action for the stream thread when the first of them expires; said anew for each expectation. */
    public void onFirst(Runnable action) {
        expected.onFirst = action;
    }

    /** Sets an action for the stream thread when the last of them expires; said anew for each expectation. */
    public void onLast(Runnable action) {
        expected.onLast = action;
    }

    /** Number of events that have expired since then. */
    public long count() {
        return expected.count.get();
    }

    /** When the first expired, by the nano clock; 0 if none has. */
    public long firstNanos() {
        return expected.firstNanos;
    }

    /** When the last expired, by the nano clock. */
    long lastNanos() {
        return expected.lastNanos;
    }

    /** There is no use in waiting any longer. */
    public void failed(Throwable reason) {
        failure = reason;
        expected.all.countDown();
    }

    /** Waits until all have expired that are expected. */
    public void await(Duration limit) throws InterruptedException {
        Expected current = expected;
        boolean isInTime = current.all.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        Throwable reason = failure;
        if (reason != null) {
            throw new VoidRunException("expiring failed: " + reason, reason);
        }
        if (!isInTime) {
            throw new VoidRunException("%,d of %,d events expired within %d s"
                    .formatted(current.count.get(), current.events, limit.toSeconds()));
        }
    }

    /** An event has expired; called on stream threads for each one. */
    public void expired() {
        Expected current = expected;
        long count = current.count.incrementAndGet();
        if (count == 1) {
            current.firstNanos = System.nanoTime();
            current.onFirst.run();
        }
        if (count == current.events) {
            current.lastNanos = System.nanoTime();
            current.onLast.run();
            current.all.countDown();
        }
    }
}
