package dev.ebb.topology.observe;

import dev.ebb.store.layout.NamespaceTotals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Last known status of every task of this instance. Thread-safe. The statuses are in an array, since thousands of idle
 * tasks report their sweeps each second, and all that a report touches has left the caches by then.
 */
public final class TaskStatuses implements RetentionObserver {

    private @Nullable Told[] byPartition = {};
    private final Map<Integer, Long> audits = new HashMap<>();

    /** Status that a task has reported, and the times of its sweeps since. */
    private static final class Told {

        private final TaskStatus status;
        private long sweepPointMs;
        private long sweepCompletedMs;
        private long nextSweepMs;

        Told(TaskStatus status) {
            this.status = status;
            this.sweepPointMs = status.lastSweepPointMs();
            this.sweepCompletedMs = status.lastSweepCompletedMs();
            this.nextSweepMs = status.nextSweepMs();
        }

        TaskStatus now() {
            return status.after(sweepPointMs, sweepCompletedMs, nextSweepMs);
        }
    }

    @Override
    public synchronized void taskStatus(TaskStatus status) {
        if (status.partition() >= byPartition.length) {
            byPartition = Arrays.copyOf(byPartition, Math.max(2 * byPartition.length, status.partition() + 1));
        }
        byPartition[status.partition()] = new Told(status);
    }

    /** Changes the sweep times of the last reported status; does nothing if there is none. */
    @Override
    public synchronized void taskRested(int partition, long sweepPointMs, long sweepCompletedMs, long nextSweepMs) {
        Told told = partition < byPartition.length ? byPartition[partition] : null;
        if (told != null) {
            told.sweepPointMs = sweepPointMs;
            told.sweepCompletedMs = sweepCompletedMs;
            told.nextSweepMs = nextSweepMs;
        }
    }

    @Override
    public synchronized void auditKnown(int partition, long records) {
        audits.put(partition, records);
    }

    /** Returns the number of audit records that a task of this instance knows to have a checkpoint; 0 without a task. */
    public synchronized long auditRecords(int partition) {
        return audits.getOrDefault(partition, 0L);
    }

    @Override
    public synchronized void taskClosed(int partition) {
        audits.remove(partition);
        if (partition < byPartition.length) {
            byPartition[partition] = null;
        }
    }

    /** Returns the statuses by partition, the lowest first; a copy. */
    public synchronized Collection<TaskStatus> all() {
        List<TaskStatus> all = new ArrayList<>();
        for (Told told : byPartition) {
            if (told != null) {
                all.add(told.now());
            }
        }
        return all;
    }

    /** Returns the status of one partition; empty if this instance has no task for it, or no status of it yet. */
    public synchronized Optional<TaskStatus> of(int partition) {
        return partition < byPartition.length
                ? Optional.ofNullable(byPartition[partition]).map(Told::now)
                : Optional.empty();
    }

    /** Returns the contents of the streams of each namespace, over all partitions of this instance. */
    public Map<String, NamespaceTotals> namespaces() {
        Map<String, NamespaceTotals> totals = new TreeMap<>();
        all().forEach(task ->
                task.namespaces().forEach((name, held) -> totals.merge(name, held, NamespaceTotals::plus)));
        return totals;
    }
}
