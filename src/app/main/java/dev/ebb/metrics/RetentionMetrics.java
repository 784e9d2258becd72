package dev.ebb.metrics;

import dev.ebb.metrics.Meter.Kind;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.observe.TaskStatuses;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Makes the meters and registers them. Gauges are read at each scrape. */
final class RetentionMetrics {

    /**
     * Bounds from a tenth of a second, below which lateness does not matter, to a day, beyond which it is no mere
     * lateness.
     */
    private static final double[] LATENESS_BOUNDS = {0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600, 86_400};

    /** Bounds from one slice to a sweep that deletes millions. */
    private static final double[] DURATION_BOUNDS = {0.005, 0.03, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};

    /** Bounds around the limits that requests have: 200 ms of a first page, 500 ms of a forecast. */
    private static final double[] ANSWER_BOUNDS = {0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30};

    private final PrometheusRegistry registry;

    RetentionMetrics(PrometheusRegistry registry) {
        this.registry = registry;
    }

    Counter counter(Meter meter) {
        require(meter, Kind.COUNTER);
        return Counter.builder()
                .name(meter.title())
                .help(meter.help())
                .labelNames(meter.labels())
                .withoutExemplars()
                .register(registry);
    }

    Histogram lateness(Meter meter) {
        return histogram(meter, LATENESS_BOUNDS);
    }

    Histogram duration(Meter meter) {
        return histogram(meter, DURATION_BOUNDS);
    }

    Histogram answers(Meter meter) {
        return histogram(meter, ANSWER_BOUNDS);
    }

    /** A gauge whose values are asked for at each scrape; the callback must be thread-safe and quick. */
    void gauge(Meter meter, Consumer<GaugeWithCallback.Callback> values) {
        require(meter, Kind.GAUGE);
        GaugeWithCallback.builder()
                .name(meter.title())
                .help(meter.help())
                .labelNames(meter.labels())
                .callback(values)
                .register(registry);
    }

    /** A gauge of one value, which is asked for at each scrape. */
    void value(Meter meter, DoubleSupplier value) {
        gauge(meter, callback -> callback.call(value.getAsDouble()));
    }

    /** A gauge of a value for each label, which are asked for at each scrape. */
    void byLabel(Meter meter, Supplier<Map<String, Long>> values) {
        gauge(meter, callback -> values.get().forEach((label, value) -> callback.call((double) value, label)));
    }

    void gaugeByPartition(Meter meter, TaskStatuses tasks, ToDoubleFunction<TaskStatus> value) {
        gauge(meter, callback -> tasks.all()
                .forEach(task -> callback.call(value.applyAsDouble(task), Integer.toString(task.partition()))));
    }

    /** Classic buckets only: the text format cannot show native ones, and they cost more. */
    private Histogram histogram(Meter meter, double[] bounds) {
        require(meter, Kind.HISTOGRAM);
        return Histogram.builder()
                .name(meter.title())
                .help(meter.help())
                .labelNames(meter.labels())
                .classicOnly()
                .classicUpperBounds(bounds)
                .withoutExemplars()
                .register(registry);
    }

    private static void require(Meter meter, Kind kind) {
        if (meter.kind() != kind) {
            throw new IllegalArgumentException(meter + " is a " + meter.kind());
        }
    }
}
