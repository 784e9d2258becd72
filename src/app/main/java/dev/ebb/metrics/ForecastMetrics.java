package dev.ebb.metrics;

import dev.ebb.domain.retention.DueSums;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Gauges of events that will go and of events that must not. */
final class ForecastMetrics {

    private static final double MS_PER_SECOND = 1000;

    private ForecastMetrics() {}

    /** Registers the gauges as {@link PrometheusObserver#registerForecasts} does, with forecasts by label. */
    static void register(PrometheusRegistry registry, Supplier<Map<String, DueSums>> forecasts, LongSupplier holds) {
        var metrics = new RetentionMetrics(registry);
        metrics.gauge(Meter.EVENTS_DUE, callback -> forecasts
                .get()
                .forEach((namespace, due) -> both(
                        callback,
                        namespace,
                        due.nextHour().events(),
                        due.nextDay().events())));
        metrics.gauge(Meter.BYTES_DUE, callback -> forecasts
                .get()
                .forEach((namespace, due) -> both(
                        callback,
                        namespace,
                        due.nextHour().bytes(),
                        due.nextDay().bytes())));
        metrics.gauge(
                Meter.EVENTS_EXPIRING, one(forecasts, due -> due.expiring().events()));
        metrics.gauge(Meter.BYTES_EXPIRING, one(forecasts, due -> due.expiring().bytes()));
        metrics.gauge(Meter.EARLIEST_EXPIRY, callback -> forecasts.get().forEach((namespace, due) -> {
            Long earliestMs = due.earliestMs();
            if (earliestMs != null) {
                callback.call(earliestMs / MS_PER_SECOND, namespace);
            }
        }));
        metrics.gauge(Meter.EVENTS_HELD, one(forecasts, DueSums::held));
        metrics.gauge(Meter.HOLDS, callback -> callback.call((double) holds.getAsLong()));
    }

    private static Consumer<GaugeWithCallback.Callback> one(
            Supplier<Map<String, DueSums>> forecasts, ToLongFunction<DueSums> value) {
        return callback ->
                forecasts.get().forEach((namespace, due) -> callback.call((double) value.applyAsLong(due), namespace));
    }

    private static void both(GaugeWithCallback.Callback callback, String namespace, long inHour, long inDay) {
        callback.call((double) inHour, namespace, "1h");
        callback.call((double) inDay, namespace, "1d");
    }
}
