package dev.ebb.metrics;

import dev.ebb.store.NamespaceTotals;
import dev.ebb.topology.TaskStatus;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The last known status of every task of this instance. Thread-safe. */
public final class TaskStatuses {

    private final ConcurrentSkipListMap<Integer, TaskStatus> byPartition = new ConcurrentSkipListMap<>();

    void put(TaskStatus status) {
        byPartition.put(status.partition(), status);
    }

    void remove(int partition) {
        byPartition.remove(partition);
    }

    /** By partition, lowest first. */
    public Collection<TaskStatus> all() {
        return byPartition.values();
    }

    /** Of one partition; empty if there is no task for it here, or not yet. */
    public Optional<TaskStatus> of(int partition) {
        return Optional.ofNullable(byPartition.get(partition));
    }

    /** What the streams of each namespace hold, over all partitions of this instance. */
    public Map<String, NamespaceTotals> namespaces() {
        Map<String, NamespaceTotals> totals = new TreeMap<>();
        all().forEach(task ->
                task.namespaces().forEach((name, held) -> totals.merge(name, held, NamespaceTotals::plus)));
        return totals;
    }
}
