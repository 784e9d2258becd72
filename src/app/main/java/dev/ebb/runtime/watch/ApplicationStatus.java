package dev.ebb.runtime.watch;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.BuildVersion;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.runtime.streams.RestoreProgress;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.observe.TaskStatuses;
import dev.ebb.topology.policy.PolicyView;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts the status together from the reports of the parts of the instance. */
public final class ApplicationStatus implements StatusSource {

    private final EbbConfig config;
    private final Instant startedAt;
    private final Sources sources;

    public ApplicationStatus(EbbConfig config, Instant startedAt, Sources sources) {
        this.config = config;
        this.startedAt = startedAt;
        this.sources = sources;
    }

    /** Sources of the status; all of them answer from memory. */
    public record Sources(
            PartitionStores stores,
            Supplier<String> state,
            TaskStatuses tasks,
            RetentionTotals totals,
            RestoreProgress restores,
            Supplier<PolicyView> policies,
            Supplier<OptionalLong> inputLag,
            Supplier<StatusView.ClockView> clock,
            Supplier<StatusView.@Nullable MirrorView> mirror,
            Supplier<List<String>> problems) {}

    @Override
    public StatusView status() {
        return new StatusView(
                config.get(Settings.APPLICATION_ID),
                config.apiAdvertised().toString(),
                BuildVersion.text(),
                sources.state().get(),
                startedAt,
                config.get(Settings.SWEEP_ENABLED),
                sources.tasks().all().stream().map(ApplicationStatus::view).toList(),
                sources.restores().views(),
                policies(),
                views(sources.tasks().namespaces()),
                sources.totals().view(),
                new StatusView.InputView(boxed(sources.inputLag().get())),
                trash(),
                sources.clock().get(),
                sources.mirror().get(),
                sources.problems().get());
    }

    private StatusView.TrashView trash() {
        return sources.tasks().all().stream()
                .flatMap(task -> task.trash().stream())
                .map(sum -> new StatusView.TrashView(
                        sum.events(), sum.bytes(), time(sum.firstUntilMs()), time(sum.untilMs()), sum.missing()))
                .reduce(StatusView.TrashView.NOTHING, StatusView.TrashView::plus);
    }

    private static StatusView.PartitionView view(TaskStatus task) {
        return new StatusView.PartitionView(
                task.partition(),
                task.sweepState().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                time(task.lastSweepPointMs()),
                time(task.lastSweepCompletedMs()),
                lastDeletePoint(task),
                nextSweep(task),
                task.policyVersion(),
                streams(task),
                task.backlogStreams(),
                task.movingStreams(),
                task.parkedRecords(),
                parkedFor(task),
                task.stale().events(),
                new TreeMap<>(task.stale().streams()),
                task.quarantinedStreams(),
                new TreeMap<>(task.quarantined()),
                task.graves(),
                new StatusView.CommandsView(task.crowd().bulk(), task.crowd().single()));
    }

    private static @Nullable Instant lastDeletePoint(TaskStatus task) {
        SweepReport report = task.lastReport();
        return report == null ? null : time(report.sweepPointMs());
    }

    private static long streams(TaskStatus task) {
        return task.namespaces().values().stream()
                .mapToLong(NamespaceTotals::streams)
                .sum();
    }

    private static List<StatusView.ParkedView> parkedFor(TaskStatus task) {
        return task.parkedFor().stream()
                .map(parked -> StatusView.ParkedView.of(parked.waitsFor(), parked.streams(), parked.records()))
                .toList();
    }

    /** Returns null while something keeps the sweeper from its work, and before the first sweep. */
    private static @Nullable Instant nextSweep(TaskStatus task) {
        return task.sweepState().isAtWork() && task.nextSweepMs() > 0 ? time(task.nextSweepMs()) : null;
    }

    private StatusView.PoliciesView policies() {
        PolicyView view = sources.policies().get();
        return new StatusView.PoliciesView(
                view.policies().version(),
                view.policies().policies().size(),
                view.unreadable(),
                view.waiting().stream().map(WaitingPolicyView::of).toList(),
                new StatusView.BrakeView(
                        config.get(Settings.BRAKE_MAX_SHARE),
                        config.get(Settings.BRAKE_MIN_EVENTS),
                        config.get(Settings.BRAKE_HORIZON).toMillis()),
                ConfiguredTopology.retentionSettings(config)
                        .differencesFrom(view.policies().settings()));
    }

    @Override
    public Map<String, StatusView.NamespaceView> namespaces(Collection<Integer> partitions) {
        Map<String, NamespaceTotals> totals = new TreeMap<>();
        for (Integer partition : partitions) {
            TaskStatus task = sources.tasks().of(partition).orElseThrow(() -> sources.stores()
                    .missing(partition));
            task.namespaces().forEach((name, held) -> totals.merge(name, held, NamespaceTotals::plus));
        }
        return views(totals);
    }

    private static Map<String, StatusView.NamespaceView> views(Map<String, NamespaceTotals> totals) {
        Map<String, StatusView.NamespaceView> views = new TreeMap<>();
        totals.forEach((name, held) -> views.put(
                name,
                new StatusView.NamespaceView(
                        held.streams(),
                        held.events(),
                        held.bytes(),
                        held.protectedEvents(),
                        held.infiniteEvents(),
                        held.timedEvents())));
        return views;
    }

    private static @Nullable Instant time(long ms) {
        return ms < 0 || ms == Long.MAX_VALUE ? null : Instant.ofEpochMilli(ms);
    }

    public static @Nullable Long boxed(OptionalLong value) {
        return value.isPresent() ? (Long) value.getAsLong() : null;
    }
}
