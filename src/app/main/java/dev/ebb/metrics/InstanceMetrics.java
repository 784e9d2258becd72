package dev.ebb.metrics;

import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.store.rocks.SharedMemory;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Gauges of the surroundings of the tasks: policies, input, mirror, restores. */
public final class InstanceMetrics {

    private static final String BLOCKS = "blocks";
    private static final String LOOKUPS = "lookups";

    private InstanceMetrics() {}

    /**
     * Sources of the values; each is asked at every scrape, so it must answer from memory.
     *
     * @param policyVersion the version of the policies in force, -1 if only built-in ones are
     * @param policiesWaiting records of policies and holds that the brake holds back
     * @param inputLag records that are not taken in; empty if not known
     * @param clockAheadMs lead of the clock over the broker's, in milliseconds; empty if not known
     * @param isStoppedByClock true if sweeping is stopped because the clock is not trusted
     * @param mirrorLag records that are not taken, by connector; connectors of which it is not known are left out
     * @param connectors the state of each connector and its task
     * @param restores stores that are still being restored
     * @param memory memory that the stores take
     */
    public record Sources(
            LongSupplier policyVersion,
            Supplier<List<WaitingPolicy>> policiesWaiting,
            Supplier<OptionalLong> inputLag,
            Supplier<OptionalLong> clockAheadMs,
            BooleanSupplier isStoppedByClock,
            Supplier<Map<String, Long>> mirrorLag,
            Supplier<Map<String, String>> connectors,
            Supplier<List<Restore>> restores,
            Supplier<SharedMemory.Use> memory) {}

    /** A store that is being restored, and how many changelog records it still needs. */
    public record Restore(String store, int partition, long remaining) {}

    /** Registers the gauge that says whether the instance is ready; asked at every scrape. */
    public static void registerReady(PrometheusRegistry registry, BooleanSupplier isReady) {
        new RetentionMetrics(registry).gauge(Meter.READY, callback -> callback.call(isReady.getAsBoolean() ? 1 : 0));
    }

    /** Registers the metrics of the process, {@code jvm_…} and {@code process_…}, under their customary names. */
    public static void registerProcess(PrometheusRegistry registry) {
        JvmMemoryMetrics.builder().register(registry);
        JvmGarbageCollectorMetrics.builder().register(registry);
        JvmThreadsMetrics.builder().register(registry);
        ProcessMetrics.builder().register(registry);
    }

    public static void register(PrometheusRegistry registry, Sources sources) {
        var metrics = new RetentionMetrics(registry);
        metrics.gauge(
                Meter.POLICY_VERSION,
                callback -> callback.call((double) sources.policyVersion().getAsLong()));
        metrics.gauge(Meter.POLICIES_WAITING, callback -> waiting(
                        sources.policiesWaiting().get())
                .forEach((state, count) -> callback.call((double) count, state)));
        metrics.gauge(Meter.INPUT_LAG, callback -> sources.inputLag().get().ifPresent(callback::call));
        metrics.gauge(
                Meter.CLOCK_DIFFERENCE,
                callback -> sources.clockAheadMs().get().ifPresent(ms -> callback.call(ms / 1000.0)));
        metrics.gauge(
                Meter.CLOCK_GUARD,
                callback -> callback.call(sources.isStoppedByClock().getAsBoolean() ? 1 : 0));
        metrics.gauge(
                Meter.MIRROR_LAG,
                callback -> sources.mirrorLag().get().forEach((name, lag) -> callback.call((double) lag, name)));
        metrics.gauge(
                Meter.CONNECTOR_STATE,
                callback -> sources.connectors().get().forEach((name, state) -> callback.call(1, name, state)));
        metrics.gauge(Meter.RESTORE_REMAINING, callback -> sources.restores()
                .get()
                .forEach(restore -> callback.call(
                        (double) restore.remaining(), restore.store(), Integer.toString(restore.partition()))));
        metrics.gauge(Meter.MEMORY, callback -> {
            SharedMemory.Use use = sources.memory().get();
            callback.call((double) use.blocks(), BLOCKS);
            callback.call((double) use.lookups(), LOOKUPS);
        });
        metrics.gauge(Meter.MEMORY_LIMIT, callback -> {
            SharedMemory.Use use = sources.memory().get();
            callback.call((double) use.blocksLimit(), BLOCKS);
            callback.call((double) use.lookupsLimit(), LOOKUPS);
        });
    }

    /** Both states are always there, so that a rule may ask for either. */
    private static Map<String, Long> waiting(List<WaitingPolicy> waiting) {
        long toConfirm = waiting.stream().filter(each -> each.finding() != null).count();
        return Map.of("confirmation", toConfirm, "assessment", waiting.size() - toConfirm);
    }
}
