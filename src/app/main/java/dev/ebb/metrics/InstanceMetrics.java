package dev.ebb.metrics;

import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.store.rocks.SharedMemory;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Gauges of the instance around its tasks: policies, input, mirror, restores. */
public final class InstanceMetrics {

    private static final String BLOCKS = "blocks";
    private static final String LOOKUPS = "lookups";

    private InstanceMetrics() {}

    /**
     * Sources of the values; each is called at every scrape, so it must answer from memory.
     *
     * @param policyVersion the version of the policies in force; -1 if only built-in ones are
     * @param policiesWaiting records of policies and holds that the brake holds back
     * @param inputLag records that are not taken in yet; empty if unknown
     * @param clockAheadMs lead of the clock over the broker's, in milliseconds; empty if unknown
     * @param isStoppedByClock true if sweeping is stopped because the clock is not trusted
     * @param mirrorLag mirror records that are not in SQL yet, by connector; connectors with an unknown lag are left
     *     out
     * @param mirrorRefused rows that the database refuses, by connector
     * @param connectors the state of each connector and its task
     * @param restores stores that are still being restored
     * @param memory memory of the stores
     * @param undoMax the longest time for which a delete can be undone
     */
    public record Sources(
            LongSupplier policyVersion,
            Supplier<List<WaitingPolicy>> policiesWaiting,
            IntSupplier settingsNotInForce,
            Supplier<OptionalLong> inputLag,
            Supplier<OptionalLong> clockAheadMs,
            BooleanSupplier isStoppedByClock,
            Supplier<Map<String, Long>> mirrorLag,
            Supplier<Map<String, Long>> mirrorRefused,
            Supplier<Map<String, String>> connectors,
            Supplier<List<Restore>> restores,
            Supplier<SharedMemory.Use> memory,
            Duration undoMax) {}

    /** A store that is being restored, and the number of changelog records that it still needs. */
    public record Restore(String store, int partition, long remaining) {}

    /** Registers the gauge that shows whether the instance is ready; the source is called at every scrape. */
    public static void registerReady(PrometheusRegistry registry, BooleanSupplier isReady) {
        new RetentionMetrics(registry).value(Meter.READY, () -> isReady.getAsBoolean() ? 1 : 0);
    }

    /** Registers the gauge of the used share of the heap; the source is called at every scrape. */
    public static void registerHeap(PrometheusRegistry registry, DoubleSupplier share) {
        new RetentionMetrics(registry).value(Meter.HEAP_SHARE, share);
    }

    /** Registers the gauges of the room on the disk and of failed threads; the sources are called at every scrape. */
    public static void registerProblems(PrometheusRegistry registry, DoubleSupplier diskBytes, BooleanSupplier failed) {
        RetentionMetrics metrics = new RetentionMetrics(registry);
        metrics.value(Meter.DISK_FREE, diskBytes);
        metrics.value(Meter.THREADS_FAILED, () -> failed.getAsBoolean() ? 1 : 0);
    }

    /** Registers the metrics of the process, {@code jvm_…} and {@code process_…}, under their usual names. */
    public static void registerProcess(PrometheusRegistry registry) {
        JvmMemoryMetrics.builder().register(registry);
        JvmGarbageCollectorMetrics.builder().register(registry);
        JvmThreadsMetrics.builder().register(registry);
        ProcessMetrics.builder().register(registry);
    }

    public static void register(PrometheusRegistry registry, Sources sources) {
        var metrics = new RetentionMetrics(registry);
        metrics.value(
                Meter.POLICY_VERSION, () -> (double) sources.policyVersion().getAsLong());
        metrics.byLabel(
                Meter.POLICIES_WAITING, () -> waiting(sources.policiesWaiting().get()));
        metrics.value(
                Meter.SETTINGS_NOT_IN_FORCE, () -> sources.settingsNotInForce().getAsInt());
        metrics.gauge(Meter.INPUT_LAG, callback -> sources.inputLag().get().ifPresent(callback::call));
        metrics.gauge(
                Meter.CLOCK_DIFFERENCE,
                callback -> sources.clockAheadMs().get().ifPresent(ms -> callback.call(ms / 1000.0)));
        metrics.value(Meter.CLOCK_GUARD, () -> sources.isStoppedByClock().getAsBoolean() ? 1 : 0);
        metrics.byLabel(Meter.MIRROR_LAG, sources.mirrorLag());
        metrics.byLabel(Meter.MIRROR_REFUSED, sources.mirrorRefused());
        metrics.gauge(
                Meter.CONNECTOR_STATE,
                callback -> sources.connectors().get().forEach((name, state) -> callback.call(1, name, state)));
        registerRestores(metrics, sources.restores());
        registerMemory(metrics, sources.memory());
        metrics.value(Meter.UNDO_MAX, () -> (double) sources.undoMax().toSeconds());
    }

    private static void registerRestores(RetentionMetrics metrics, Supplier<List<Restore>> restores) {
        metrics.gauge(Meter.RESTORE_REMAINING, callback -> restores.get()
                .forEach(restore -> callback.call(
                        (double) restore.remaining(), restore.store(), Integer.toString(restore.partition()))));
    }

    private static void registerMemory(RetentionMetrics metrics, Supplier<SharedMemory.Use> memory) {
        metrics.byLabel(Meter.MEMORY, () -> {
            SharedMemory.Use use = memory.get();
            return Map.of(BLOCKS, use.blocks(), LOOKUPS, use.lookups());
        });
        metrics.byLabel(Meter.MEMORY_LIMIT, () -> {
            SharedMemory.Use use = memory.get();
            return Map.of(BLOCKS, use.blocksLimit(), LOOKUPS, use.lookupsLimit());
        });
    }

    /** Counts waiting records by state; both states are always present, so that a rule may use either. */
    private static Map<String, Long> waiting(List<WaitingPolicy> waiting) {
        long toConfirm = waiting.stream().filter(each -> each.finding() != null).count();
        return Map.of("confirmation", toConfirm, "assessment", waiting.size() - toConfirm);
    }
}
