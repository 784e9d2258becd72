package dev.ebb.metrics;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandKind;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.observe.TaskStatuses;
import dev.ebb.topology.source.SourceObserver;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Counts the reports of the topology. Thread-safe. */
public final class PrometheusObserver implements RetentionObserver, SourceObserver {

    private static final double MS_PER_SECOND = 1000;

    private static final String DONE = "done";
    private static final String REFUSED = "refused";
    private static final String FAILED = "failed";
    private static final List<String> OUTCOMES = List.of(DONE, REFUSED, FAILED);

    private final TaskStatuses tasks;
    private final NamespaceLabels labels = new NamespaceLabels();

    /**
     * Counters by namespace: looking up a data point by its labels would cost more than all other work of the count.
     */
    private final Map<String, IngestCounters> ingest = new ConcurrentHashMap<>();

    private final Map<DeleteLabels, DeleteCounters> deletes = new ConcurrentHashMap<>();

    private final Map<String, ReturnCounters> returns = new ConcurrentHashMap<>();

    /** Number of events that mode warn keeps, by partition. */
    private final Map<Integer, Long> warned = new ConcurrentHashMap<>();

    private final Map<Meter, Counter> byMeter = new EnumMap<>(Meter.class);
    private final DistributionDataPoint ingestDelay;
    private final DistributionDataPoint lateness;
    private final DistributionDataPoint sweepDuration;

    /**
     * Registers the meters of the observer.
     *
     * @param tasks the statuses that the gauges show; others keep them up to date
     */
    public PrometheusObserver(PrometheusRegistry registry, TaskStatuses tasks) {
        this.tasks = tasks;
        var metrics = new RetentionMetrics(registry);
        for (Meter meter : Meter.values()) {
            // Requests are not work of the tasks, and are counted elsewhere.
            if (meter.kind() == Meter.Kind.COUNTER && meter != Meter.REQUESTS) {
                byMeter.put(meter, metrics.counter(meter));
            }
        }
        ingestDelay = metrics.lateness(Meter.INGEST_DELAY);
        lateness = metrics.lateness(Meter.LATENESS);
        sweepDuration = metrics.duration(Meter.SWEEP_DURATION);
        registerGauges(metrics);
        beginOutcomes();
    }

    /** Begins each count with 0: a rule sees no increase in a series whose first sample is already above 0. */
    private void beginOutcomes() {
        for (CommandKind<?> kind : Command.Kinds.LIST) {
            OUTCOMES.forEach(outcome -> counter(Meter.COMMANDS).labelValues(kind.verb(), outcome));
        }
    }

    /**
     * Registers the gauges of events that will go and of events that must not.
     *
     * @param forecasts the forecasts by namespace; called at every scrape, so it must not count anew each time
     * @param holds the number of holds in force
     */
    public void registerForecasts(
            PrometheusRegistry registry, Supplier<Map<String, DueSums>> forecasts, LongSupplier holds) {
        ForecastMetrics.register(registry, () -> labels.byLabel(forecasts.get(), DueSums::plus), holds);
    }

    @Override
    public void ingested(StreamName stream, boolean isNew, long delayMs) {
        IngestCounters counters = ingest.computeIfAbsent(label(stream), this::ingestCounters);
        (isNew ? counters.fresh() : counters.replaced()).inc();
        ingestDelay.observe(Math.max(0, delayMs) / MS_PER_SECOND);
    }

    @Override
    public void updated(StreamName stream) {
        counter(Meter.UPDATED).labelValues(label(stream)).inc();
    }

    @Override
    public void orphaned(StreamName stream) {
        counter(Meter.ORPHANED).inc();
    }

    @Override
    public void late(StreamName stream, LateRecord record) {
        counter(Meter.LATE).labelValues(record.name().toLowerCase(Locale.ROOT)).inc();
    }

    @Override
    public void rejected(RejectReason reason) {
        counter(Meter.REJECTED).labelValues(reason.name()).inc();
    }

    @Override
    public void trashForged(int partition, long records) {
        counter(Meter.TRASH_FORGED).inc(records);
    }

    @Override
    public void trashUnread(int partition, String problem) {
        counter(Meter.TRASH_UNREAD).inc();
    }

    @Override
    public void unsent(String topic) {
        counter(Meter.UNSENT).labelValues(topic).inc();
    }

    @Override
    public void rejected(String source, RejectReason reason, String detail) {
        rejected(reason);
    }

    @Override
    public void overtaken(String source) {
        counter(Meter.SOURCE_OVERTAKEN).labelValues(source).inc();
    }

    @Override
    public void lost(String source, String at) {
        counter(Meter.SOURCE_LOST).labelValues(source).inc();
    }

    @Override
    public void rekeyed() {
        counter(Meter.REKEYED).inc();
    }

    @Override
    public void checkpointed() {
        counter(Meter.CHECKPOINTS).inc();
    }

    @Override
    public void ttlRefused(StreamName stream) {
        counter(Meter.TTL_REFUSED).inc();
    }

    @Override
    public void deleted(StreamName stream, RemovalCause cause, RemovalRule rule, long bytes, long latenessMs) {
        DeleteCounters counters =
                deletes.computeIfAbsent(new DeleteLabels(cause, rule.scopeKind(), label(stream)), this::deleteCounters);
        counters.events().inc();
        counters.bytes().inc(bytes);
        if (latenessMs >= 0) {
            lateness.observe(latenessMs / MS_PER_SECOND);
        }
    }

    @Override
    public void returned(StreamName stream, long bytes) {
        ReturnCounters counters = returns.computeIfAbsent(label(stream), this::returnCounters);
        counters.events().inc();
        counters.bytes().inc(bytes);
    }

    @Override
    public void swept(SweepReport report) {
        if (report.mode().equals(PolicyMode.ENFORCE.text())) {
            counter(Meter.SWEEPS).inc();
            sweepDuration.observe((report.completedMs() - report.startedMs()) / MS_PER_SECOND);
        }
    }

    @Override
    public void warned(int partition, long events) {
        warned.put(partition, events);
    }

    @Override
    public void sweepFailed(int partition, Exception e) {
        counter(Meter.SWEEPS_FAILED).labelValues(Integer.toString(partition)).inc();
    }

    @Override
    public void streamFailed(int partition, StreamName stream, Exception failure) {
        counter(Meter.FAILED_STREAMS).inc();
    }

    @Override
    public void commandEnded(CommandResult result) {
        if (!result.dryRun()) {
            counter(Meter.COMMANDS).labelValues(result.verb(), outcome(result)).inc();
        }
    }

    private static String outcome(CommandResult result) {
        if (result.refusal() == null) {
            return DONE;
        }
        return result.refusal() == Refusal.FAILED ? FAILED : REFUSED;
    }

    @Override
    public void commandRefused(int partition, CommandResult result) {
        if (result.refusal() == Refusal.BUSY) {
            counter(Meter.COMMANDS_BUSY).labelValues("partition").inc();
        }
    }

    /** Counts a command that this instance did not send because too many are unfinished. */
    public void commandTurnedAway() {
        counter(Meter.COMMANDS_BUSY).labelValues("instance").inc();
    }

    @Override
    public void commandFailed(int partition, String commandId, Exception failure) {
        counter(Meter.FAILED_COMMANDS).inc();
    }

    @Override
    public void usageRecounted(int partition, StreamName stream, String finding, List<String> differences) {
        counter(Meter.USAGE_DIFFERENCES).inc(differences.size());
    }

    @Override
    public void figuresRecounted(int partition, List<String> differences) {
        counter(Meter.RECOUNTS).inc();
        counter(Meter.FIGURE_DIFFERENCES).inc(differences.size());
    }

    @Override
    public void taskClosed(int partition) {
        warned.remove(partition);
    }

    private void registerGauges(RetentionMetrics metrics) {
        metrics.gaugeByPartition(Meter.PARKED, tasks, TaskStatus::parkedRecords);
        metrics.gaugeByPartition(Meter.GRAVES, tasks, TaskStatus::graves);
        metrics.gaugeByPartition(Meter.EVENTS_STALE, tasks, task -> task.stale().events());
        metrics.gaugeByPartition(Meter.QUARANTINED_STREAMS, tasks, TaskStatus::quarantinedStreams);
        metrics.gaugeByPartition(Meter.BACKLOG_STREAMS, tasks, TaskStatus::backlogStreams);
        metrics.gauge(
                Meter.EVENTS_WOULD_DELETE,
                callback -> warned.forEach((partition, events) -> callback.call(events, Integer.toString(partition))));
        metrics.gauge(Meter.SWEEP_COMPLETED, callback -> tasks.all().stream()
                .filter(task -> task.lastSweepCompletedMs() >= 0)
                .forEach(task -> callback.call(
                        task.lastSweepCompletedMs() / MS_PER_SECOND, Integer.toString(task.partition()))));
        metrics.gauge(Meter.COMMANDS_UNFINISHED, callback -> tasks.all().forEach(task -> {
            String partition = Integer.toString(task.partition());
            callback.call(task.crowd().bulk(), partition, "bulk");
            callback.call(task.crowd().single(), partition, "single");
        }));
        metrics.gauge(Meter.COMMAND_STARTED, callback -> tasks.all().forEach(task -> task.commands()
                .forEach((verb, startedMs) ->
                        callback.call(startedMs / MS_PER_SECOND, Integer.toString(task.partition()), verb))));
        registerTrash(metrics);
        registerByNamespace(metrics);
    }

    private void registerTrash(RetentionMetrics metrics) {
        metrics.gaugeByPartition(Meter.TRASH_EVENTS, tasks, task -> TrashSum.total(task.trash(), TrashSum::events));
        metrics.gaugeByPartition(Meter.TRASH_BYTES, tasks, task -> TrashSum.total(task.trash(), TrashSum::bytes));
        metrics.gaugeByPartition(Meter.TRASH_MISSING, tasks, task -> TrashSum.total(task.trash(), TrashSum::missing));
        metrics.gauge(Meter.TRASH_SINCE, callback -> tasks.all().forEach(task -> task.trash().stream()
                .mapToLong(TrashSum::firstMs)
                .min()
                .ifPresent(ms -> callback.call(ms / MS_PER_SECOND, Integer.toString(task.partition())))));
        metrics.gauge(Meter.TRASH_UNTIL, callback -> tasks.all().forEach(task -> task.trash().stream()
                .mapToLong(TrashSum::untilMs)
                .max()
                .ifPresent(ms -> callback.call(ms / MS_PER_SECOND, Integer.toString(task.partition())))));
    }

    private void registerByNamespace(RetentionMetrics metrics) {
        byNamespace(metrics, Meter.STREAMS_STORED, NamespaceTotals::streams);
        byNamespace(metrics, Meter.EVENTS_STORED, NamespaceTotals::events);
        byNamespace(metrics, Meter.BYTES_STORED, NamespaceTotals::bytes);
        byNamespace(metrics, Meter.EVENTS_PROTECTED, NamespaceTotals::protectedEvents);
        byNamespace(metrics, Meter.EVENTS_INFINITE, NamespaceTotals::infiniteEvents);
        byNamespace(metrics, Meter.EVENTS_TIMED, NamespaceTotals::timedEvents);
        byNamespace(
                metrics,
                Meter.EVENTS_UNTIMED,
                held -> held.events() - held.protectedEvents() - held.infiniteEvents() - held.timedEvents());
    }

    private void byNamespace(RetentionMetrics metrics, Meter meter, ToDoubleFunction<NamespaceTotals> value) {
        metrics.gauge(meter, callback -> labels.byLabel(tasks.namespaces(), NamespaceTotals::plus)
                .forEach((label, held) -> callback.call(value.applyAsDouble(held), label)));
    }

    private Counter counter(Meter meter) {
        return Objects.requireNonNull(byMeter.get(meter));
    }

    private String label(StreamName stream) {
        return labels.of(stream.namespace());
    }

    private IngestCounters ingestCounters(String namespace) {
        Counter ingested = counter(Meter.INGESTED);
        return new IngestCounters(ingested.labelValues(namespace, "new"), ingested.labelValues(namespace, "replaced"));
    }

    private DeleteCounters deleteCounters(DeleteLabels labels) {
        String[] values = {labels.cause().name(), labels.scope(), labels.namespace()};
        return new DeleteCounters(
                counter(Meter.EVENTS_DELETED).labelValues(values),
                counter(Meter.BYTES_DELETED).labelValues(values));
    }

    private ReturnCounters returnCounters(String namespace) {
        return new ReturnCounters(
                counter(Meter.EVENTS_RETURNED).labelValues(namespace),
                counter(Meter.BYTES_RETURNED).labelValues(namespace));
    }

    private record ReturnCounters(CounterDataPoint events, CounterDataPoint bytes) {}

    private record DeleteLabels(RemovalCause cause, String scope, String namespace) {}

    private record DeleteCounters(CounterDataPoint events, CounterDataPoint bytes) {}

    private record IngestCounters(CounterDataPoint fresh, CounterDataPoint replaced) {}
}
