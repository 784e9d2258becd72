package dev.ebb.bench.stack;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.runtime.watch.InstanceWatch;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.observe.TaskStatus;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Counts Ebb's deletes, and counts for metrics like an instance. Thread-safe. */
public class Deletions implements RetentionObserver {

    private final InstanceWatch instance = InstanceWatch.of(new PrometheusRegistry());
    private final AtomicLong longestDelayMs = new AtomicLong();
    private final Lateness lateness;
    private final Expirations expirations = new Expirations();

    public Deletions() {
        this(latenessMs -> {});
    }

    /** @param lateness takes the lateness of each delete */
    public Deletions(Lateness lateness) {
        this.lateness = lateness;
    }

    /** Takes the lateness of each delete; called on stream threads. */
    @FunctionalInterface
    public interface Lateness {

        /** @param latenessMs the lateness in milliseconds; -1 if a cap took the event */
        void deleted(long latenessMs);
    }

    /** Returns the counted deletes. */
    public Expirations expirations() {
        return expirations;
    }

    /** Returns the longest time from the Kafka timestamp of an event until it was stored, in milliseconds. */
    public long longestDelayMs() {
        return longestDelayMs.get();
    }

    /** Returns the version of the policies that each task uses, as of about a second ago. */
    public Map<Integer, Long> policyVersions() {
        return instance.tasks().all().stream()
                .collect(Collectors.toMap(TaskStatus::partition, TaskStatus::policyVersion));
    }

    @Override
    public void deleted(StreamName stream, RemovalCause cause, RemovalRule rule, long bytes, long latenessMs) {
        instance.observer().deleted(stream, cause, rule, bytes, latenessMs);
        lateness.deleted(latenessMs);
        expirations.expired();
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
