package dev.ebb.runtime.watch;

import dev.ebb.metrics.RequestMetrics;
import dev.ebb.port.RequestMeter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts requests in the meters of the instance, and watches those that are not answered yet. */
public final class MeteredRequests implements RequestMeter {

    private final RequestMetrics metrics;
    private final RequestWatch watch;

    public MeteredRequests(PrometheusRegistry registry, RequestWatch watch) {
        this.metrics = new RequestMetrics(registry);
        this.watch = watch;
    }

    @Override
    public void begun(Object request, String route) {
        watch.begin(request, route);
    }

    @Override
    public void listens(Object request) {
        watch.listens(request);
    }

    @Override
    public void done(Object request) {
        watch.end(request);
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
