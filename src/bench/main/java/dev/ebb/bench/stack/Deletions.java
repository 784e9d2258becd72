package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.runtime.watch.InstanceWatch;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.observe.TaskStatus;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Knows when the first and the last of some events were deleted; counts for metrics as an instance does. Thread-safe. */
public class Deletions implements RetentionObserver {

    private final InstanceWatch instance = InstanceWatch.of(new PrometheusRegistry());
    private final AtomicLong longestDelayMs = new AtomicLong();
    private final Lateness lateness;
    private volatile Expected expected = new Expected(Long.MAX_VALUE);
    private volatile @Nullable Throwable failure;

    public Deletions() {
        this(latenessMs -> {});
    }

    /** @param lateness hears of each deletion */
    public Deletions(Lateness lateness) {
        this.lateness = lateness;
    }

    /** Hears on stream threads how late an event was deleted. */
    @FunctionalInterface
    public interface Lateness {

        /** @param latenessMs -1 if a cap took it */
        void deleted(long latenessMs);
    }

    private static final class Expected {

        private final long events;
        private final AtomicLong deleted = new AtomicLong();
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

    /** Begins to count anew: so many are to be deleted. */
    public void expect(long events) {
        expected = new Expected(events);
    }

    /** Sets an action for the stream thread when the first of them is deleted; said anew for each expectation. */
    public void onFirst(Runnable action) {
        expected.onFirst = action;
    }

    /** Sets an action for the stream thread when the last of them is deleted; said anew for each expectation. */
    public void onLast(Runnable action) {
        expected.onLast = action;
    }

    /** Number of deletes since then. */
    public long count() {
        return expected.deleted.get();
    }

    /** When the first was deleted, by the nano clock; 0 if none was. */
    public long firstNanos() {
        return expected.firstNanos;
    }

    /** When the last was deleted, by the nano clock. */
    long lastNanos() {
        return expected.lastNanos;
    }

    /** There is no use in waiting any longer. */
    void failed(Throwable reason) {
        failure = reason;
        expected.all.countDown();
    }

    /** Waits until all are deleted that are expected. */
    public void await(Duration limit) throws InterruptedException {
        Expected current = expected;
        boolean isInTime = current.all.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        Throwable reason = failure;
        if (reason != null) {
            throw new VoidRunException("sweeping failed: " + reason, reason);
        }
        if (!isInTime) {
            throw new VoidRunException("%,d of %,d events were deleted within %d s"
                    .formatted(current.deleted.get(), current.events, limit.toSeconds()));
        }
    }

    /** The longest time from the Kafka timestamp of an event to its storing. */
    public long longestDelayMs() {
        return longestDelayMs.get();
    }

    /** The version of the policies that each task goes by, as it said about a second ago. */
    public Map<Integer, Long> policyVersions() {
        return instance.tasks().all().stream()
                .collect(Collectors.toMap(TaskStatus::partition, TaskStatus::policyVersion));
    }

    @Override
    public void deleted(StreamName stream, RemovalCause cause, RemovalRule rule, long bytes, long latenessMs) {
        instance.observer().deleted(stream, cause, rule, bytes, latenessMs);
        lateness.deleted(latenessMs);
        Expected current = expected;
        long count = current.deleted.incrementAndGet();
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

    @Override
    public void ingested(StreamName stream, boolean isNew, long delayMs) {
        instance.observer().ingested(stream, isNew, delayMs);
        if (delayMs > longestDelayMs.get()) {
            longestDelayMs.accumulateAndGet(delayMs, Math::max);
        }
    }

    @Override
    public void swept(SweepReport report) {
        instance.observer().swept(report);
    }

    @Override
    public void taskStatus(TaskStatus status) {
        instance.observer().taskStatus(status);
    }

    @Override
    public void taskRested(int partition, long sweepPointMs, long sweepCompletedMs, long nextSweepMs) {
        instance.observer().taskRested(partition, sweepPointMs, sweepCompletedMs, nextSweepMs);
    }
}
