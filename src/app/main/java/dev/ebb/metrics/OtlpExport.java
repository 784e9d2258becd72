package dev.ebb.metrics;

import dev.ebb.domain.BuildVersion;
import io.prometheus.metrics.exporter.opentelemetry.OpenTelemetryExporter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Sends all meters to a collector of OpenTelemetry, again and again, from a thread of the library. A collector that is
 * away costs its exports and a warning, and nothing else. Thread-safe.
 */
public final class OtlpExport implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    /** Kept, since loggers of this kind and their handlers vanish when no code refers to them. */
    private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

    private final OpenTelemetryExporter exporter;

    private OtlpExport(OpenTelemetryExporter exporter) {
        this.exporter = exporter;
    }

    /**
     * Begins to send; the first export comes after one interval.
     *
     * @param endpoint the address of the collector, without a path
     * @param interval time between two exports, at least one second; parts of a second are left out
     * @param instance the name of this instance among all that send
     */
    public static OtlpExport start(PrometheusRegistry registry, String endpoint, Duration interval, String instance) {
        logWithOthers();
        return new OtlpExport(OpenTelemetryExporter.builder()
                .registry(registry)
                .protocol("http/protobuf")
                .endpoint(endpoint)
                .intervalSeconds(Math.toIntExact(interval.toSeconds()))
                .serviceName("ebb")
                .serviceVersion(BuildVersion.text())
                .serviceInstanceId(instance)
                .buildAndStart());
    }

    /** The library would write lines of another form to the error stream. */
    private static synchronized void logWithOthers() {
        if (LIBRARY.getHandlers().length == 0) {
            LIBRARY.setUseParentHandlers(false);
            LIBRARY.addHandler(new Lines());
        }
    }

    /** Leaves out the trace of a failure, of which each export would write forty lines: the message names the cause. */
    private static final class Lines extends SLF4JBridgeHandler {

        @Override
        public void publish(LogRecord line) {
            line.setThrown(null);
            line.setMessage(line.getMessage() + "; the collector is that of metrics.otlp.endpoint");
            super.publish(line);
        }
    }

    /** Sends once more, and ends; waits a second at most, since the library would wait for a collector that is away. */
    @Override
    public void close() {
        Thread last = new Thread(exporter::close, "ebb-last-export");
        last.setDaemon(true);
        last.start();
        try {
            last.join(CLOSE_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
