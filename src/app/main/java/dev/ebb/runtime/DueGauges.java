package dev.ebb.runtime;

import dev.ebb.domain.retention.DueSums;
import dev.ebb.port.DueForecast;
import dev.ebb.port.NotReadyException;
import java.util.Map;

/** The forecast of due events, as gauges show it, by namespace. */
final class DueGauges {

    private DueGauges() {}

    /** Does not wait for a first count, which may take longer than a scrape should. */
    static Map<String, DueSums> of(DueForecast forecast) {
        try {
            return forecast.outlook().byNamespace();
        } catch (NotReadyException e) {
            return Map.of();
        }
    }
}
