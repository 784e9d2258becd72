package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Notes the times at which the first and the last of a number of events expired. Thread-safe. */
public final class Expirations {

    /** Longest time of the whole expiry. */
    public static final Duration LIMIT = Duration.ofMinutes(10);

    private volatile Expected expected = new Expected(Long.MAX_VALUE);
    private volatile @Nullable Throwable failure;

    private static final class Expected {

        private final long events;
        private final AtomicLong count = new AtomicLong();
        private final CountDownLatch all;
        private volatile long firstNanos;
        private volatile Runnable onFirst = () -> {};
        private volatile Runnable onLast = () -> {};

        Expected(long events) {
            this.events = events;
            this.all = new CountDownLatch(events == 0 ? 0 : 1);
        }
    }

    /** Begins a new count, of this number of events. */
    public void expect(long events) {
        expected = new Expected(events);
    }

    /** Sets an action for the stream thread on which the first event expires; must be set again for each count. */
    public void onFirst(Runnable action) {
        expected.onFirst = action;
    }

    /** Sets an action for the stream thread on which the last event expires; must be set again for each count. */
    public void onLast(Runnable action) {
        expected.onLast = action;
    }

    /** Returns the number of events that have expired in this count. */
    public long count() {
        return expected.count.get();
    }

    /** Returns the time at which the first event expired, by the nano clock; 0 if none has. */
    public long firstNanos() {
        return expected.firstNanos;
    }

    /** Ends the wait, which has become useless. */
    public void failed(Throwable reason) {
        failure = reason;
        expected.all.countDown();
    }

    /** Waits until all expected events have expired. */
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

    /** Notes that an event has expired; called on stream threads for each event. */
    public void expired() {
        Expected current = expected;
        long count = current.count.incrementAndGet();
        if (count == 1) {
            current.firstNanos = System.nanoTime();
            current.onFirst.run();
        }
        if (count == current.events) {
            current.onLast.run();
            current.all.countDown();
        }
    }
}
