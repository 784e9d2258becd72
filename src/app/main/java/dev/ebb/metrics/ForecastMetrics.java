package dev.ebb.metrics;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Gauges of events that will go and of events that must not. */
public final class ForecastMetrics {

    private static final double MS_PER_SECOND = 1000;

    private ForecastMetrics() {}

    /**
     * Forecast for a namespace.
     *
     * @param expiringEvents events that its policies warn about ({@code warnBefore})
     * @param earliestMs the last millisecond of the first event to expire, epoch milliseconds; null if there is none
     * @param held events that a hold covers
     */
    public record Forecast(
            long eventsInHour,
            long bytesInHour,
            long eventsInDay,
            long bytesInDay,
            long expiringEvents,
            long expiringBytes,
            @Nullable Long earliestMs,
            long held) {

        /** Returns the sum of both forecasts. */
        Forecast plus(Forecast other) {
            return new Forecast(
                    eventsInHour + other.eventsInHour,
                    bytesInHour + other.bytesInHour,
                    eventsInDay + other.eventsInDay,
                    bytesInDay + other.bytesInDay,
                    expiringEvents + other.expiringEvents,
                    expiringBytes + other.expiringBytes,
                    earlier(earliestMs, other.earliestMs),
                    held + other.held);
        }

        private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
            return one == null ? other : other == null ? one : (Long) Math.min(one, other);
        }
    }

    /** Registers the gauges as {@link PrometheusObserver#registerForecasts} does, with forecasts by label. */
    static void register(PrometheusRegistry registry, Supplier<Map<String, Forecast>> forecasts, LongSupplier holds) {
        var metrics = new RetentionMetrics(registry);
        metrics.gauge(Meter.EVENTS_DUE, callback -> forecasts
                .get()
                .forEach((namespace, due) -> both(callback, namespace, due.eventsInHour(), due.eventsInDay())));
        metrics.gauge(Meter.BYTES_DUE, callback -> forecasts
                .get()
                .forEach((namespace, due) -> both(callback, namespace, due.bytesInHour(), due.bytesInDay())));
        metrics.gauge(Meter.EVENTS_EXPIRING, one(forecasts, Forecast::expiringEvents));
        metrics.gauge(Meter.BYTES_EXPIRING, one(forecasts, Forecast::expiringBytes));
        metrics.gauge(Meter.EARLIEST_EXPIRY, callback -> forecasts.get().forEach((namespace, due) -> {
            Long earliestMs = due.earliestMs();
            if (earliestMs != null) {
                callback.call(earliestMs / MS_PER_SECOND, namespace);
            }
        }));
        metrics.gauge(Meter.EVENTS_HELD, one(forecasts, Forecast::held));
        metrics.gauge(Meter.HOLDS, callback -> callback.call((double) holds.getAsLong()));
    }

    private static Consumer<GaugeWithCallback.Callback> one(
            Supplier<Map<String, Forecast>> forecasts, ToLongFunction<Forecast> value) {
        return callback ->
                forecasts.get().forEach((namespace, due) -> callback.call((double) value.applyAsLong(due), namespace));
    }

    private static void both(GaugeWithCallback.Callback callback, String namespace, long inHour, long inDay) {
        callback.call((double) inHour, namespace, "1h");
        callback.call((double) inDay, namespace, "1d");
    }
}
