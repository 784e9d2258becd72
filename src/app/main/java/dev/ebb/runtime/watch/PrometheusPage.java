package dev.ebb.runtime.watch;

import dev.ebb.port.MetricsSource;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** All meters of the instance in the requested format, or else as text. */
public final class PrometheusPage implements MetricsSource {

    private final ExpositionFormats formats = ExpositionFormats.init();
    private final PrometheusRegistry registry;

    public PrometheusPage(PrometheusRegistry registry) {
        this.registry = registry;
    }

    @Override
    public String contentType(@Nullable String accept) {
        return formats.findWriter(accept).getContentType();
    }

    @Override
    public void write(@Nullable String accept, OutputStream out) throws IOException {
        formats.findWriter(accept).write(out, registry.scrape());
    }
}
