package dev.ebb.metrics;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Gauges of what will go and what must not. */
public final class ForecastMetrics {

    private ForecastMetrics() {}

    /**
     * What comes of a namespace.
     *
     * @param held events that a hold covers
     */
    public record Forecast(long eventsInHour, long bytesInHour, long eventsInDay, long bytesInDay, long held) {}

    /**
     * Registers the gauges.
     *
     * @param forecasts by namespace; asked at every scrape, so it must not count anew each time
     * @param holds how many holds are in force
     */
    public static void register(
            PrometheusRegistry registry, Supplier<Map<String, Forecast>> forecasts, LongSupplier holds) {
        var metrics = new RetentionMetrics(registry);
        metrics.gauge(Meter.EVENTS_DUE, callback -> forecasts
                .get()
                .forEach((namespace, due) -> both(callback, namespace, due.eventsInHour(), due.eventsInDay())));
        metrics.gauge(Meter.BYTES_DUE, callback -> forecasts
                .get()
                .forEach((namespace, due) -> both(callback, namespace, due.bytesInHour(), due.bytesInDay())));
        metrics.gauge(
                Meter.EVENTS_HELD,
                callback -> forecasts.get().forEach((namespace, due) -> callback.call((double) due.held(), namespace)));
        metrics.gauge(Meter.HOLDS, callback -> callback.call((double) holds.getAsLong()));
    }

    private static void both(GaugeWithCallback.Callback callback, String namespace, long inHour, long inDay) {
        callback.call((double) inHour, namespace, "1h");
        callback.call((double) inDay, namespace, "1d");
    }
}
