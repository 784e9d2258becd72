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

/** Makes and registers the meters. Gauges are read at each scrape. */
record RetentionMetrics(PrometheusRegistry registry) {

    /**
     * Bounds from a tenth of a second, below which lateness does not matter, to a day, above which it is more than
     * lateness.
     */
    private static final double[] LATENESS_BOUNDS = {0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600, 86_400};

    /** Bounds from a single slice to a sweep that deletes millions. */
    private static final double[] DURATION_BOUNDS = {0.005, 0.03, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};

    /** Bounds around the limits of requests: 200 ms for a first page, 500 ms for a forecast. */
    private static final double[] ANSWER_BOUNDS = {0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30};

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

    /** Adds a gauge whose values are read at each scrape; the callback must be thread-safe and quick. */
    void gauge(Meter meter, Consumer<GaugeWithCallback.Callback> values) {
        require(meter, Kind.GAUGE);
        GaugeWithCallback.builder()
                .name(meter.title())
                .help(meter.help())
                .labelNames(meter.labels())
                .callback(values)
                .register(registry);
    }

    /** Adds a gauge of one value, read at each scrape. */
    void value(Meter meter, DoubleSupplier value) {
        gauge(meter, callback -> callback.call(value.getAsDouble()));
    }

    /** Adds a gauge with a value for each label, read at each scrape. */
    void byLabel(Meter meter, Supplier<Map<String, Long>> values) {
        gauge(meter, callback -> values.get().forEach((label, value) -> callback.call((double) value, label)));
    }

    void gaugeByPartition(Meter meter, TaskStatuses tasks, ToDoubleFunction<TaskStatus> value) {
        gauge(meter, callback -> tasks.all()
                .forEach(task -> callback.call(value.applyAsDouble(task), Integer.toString(task.partition()))));
    }

    /** Returns a histogram with classic buckets only: the text format cannot show native ones, which also cost more. */
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
