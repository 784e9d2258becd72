package dev.ebb.runtime;

import dev.ebb.metrics.ForecastMetrics;
import dev.ebb.port.DueForecast;
import dev.ebb.port.NotReadyException;
import java.util.HashMap;
import java.util.Map;

/** The forecast of due events, as gauges show it, by namespace. */
final class DueGauges {

    private DueGauges() {}

    /** Does not wait for a first count, which may take longer than a scrape should. */
    static Map<String, ForecastMetrics.Forecast> of(DueForecast forecast) {
        Map<String, ForecastMetrics.Forecast> views = new HashMap<>();
        try {
            forecast.outlook().byNamespace().forEach((namespace, due) -> views.put(namespace, view(due)));
            return views;
        } catch (NotReadyException e) {
            return Map.of();
        }
    }

    private static ForecastMetrics.Forecast view(DueForecast.Due due) {
        return new ForecastMetrics.Forecast(
                due.nextHour().events(),
                due.nextHour().bytes(),
                due.nextDay().events(),
                due.nextDay().bytes(),
                due.expiring().sum().events(),
                due.expiring().sum().bytes(),
                due.expiring().earliestMs(),
                due.held());
    }
}
