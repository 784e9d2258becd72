package dev.ebb.runtime.watch;

import dev.ebb.metrics.RequestMetrics;
import dev.ebb.port.RequestMeter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts requests in the meters of the instance. */
public final class MeteredRequests implements RequestMeter {

    private final RequestMetrics metrics;

    public MeteredRequests(PrometheusRegistry registry) {
        this.metrics = new RequestMetrics(registry);
    }

    @Override
    public void answered(String route, int status, long nanos) {
        metrics.answered(route, status, nanos);
    }

    @Override
    public void listening(int change) {
        metrics.listening(change);
    }
}
