package dev.ebb.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Meters of requests to the API and of listeners to its news. Thread-safe. */
public final class RequestMetrics {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Counter requests;
    private final Histogram durations;
    private final AtomicInteger listeners = new AtomicInteger();

    /** Registers the meters. */
    public RequestMetrics(PrometheusRegistry registry) {
        var metrics = new RetentionMetrics(registry);
        this.requests = metrics.counter(Meter.REQUESTS);
        this.durations = metrics.answers(Meter.REQUEST_DURATION);
        metrics.value(Meter.LISTENERS, listeners::get);
    }

    /** Counts a request with its status and the time to its answer, in nanoseconds. */
    public void answered(String route, int status, long nanos) {
        requests.labelValues(route, Integer.toString(status)).inc();
        durations.labelValues(route).observe(nanos / NANOS_PER_SECOND);
    }

    /** Counts listeners that have come, or, if the change is negative, have gone. */
    public void listening(int change) {
        listeners.addAndGet(change);
    }
}
