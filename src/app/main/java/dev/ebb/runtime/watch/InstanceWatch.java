package dev.ebb.runtime.watch;

import dev.ebb.metrics.PrometheusObserver;
import dev.ebb.topology.observe.Observers;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.observe.RunningTasks;
import dev.ebb.topology.observe.TaskStatuses;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;

/**
 * The observers of one instance. Thread-safe.
 *
 * @param running the tasks that work here
 * @param tasks statuses of the tasks
 * @param totals work that the instance has done
 * @param metrics metrics for Prometheus
 * @param refused refusals of commands that no state has
 * @param log logs what the tasks do
 * @param observer passes each call on to all of these
 */
public record InstanceWatch(
        RunningTasks running,
        TaskStatuses tasks,
        RetentionTotals totals,
        PrometheusObserver metrics,
        RefusedCommands refused,
        RetentionLog log,
        RetentionObserver observer) {

    /** Returns new observers, whose meters are registered there. */
    public static InstanceWatch of(PrometheusRegistry registry) {
        var running = new RunningTasks();
        var tasks = new TaskStatuses();
        var totals = new RetentionTotals();
        var metrics = new PrometheusObserver(registry, tasks);
        var refused = new RefusedCommands();
        var log = new RetentionLog();
        return new InstanceWatch(
                running,
                tasks,
                totals,
                metrics,
                refused,
                log,
                new Observers(List.of(running, tasks, totals, metrics, refused, log)));
    }
}
