package dev.ebb.port;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Writes all metrics in one of the formats that Prometheus reads. Thread-safe. */
public interface MetricsSource {

    /** Returns the media type of the text that {@link #write} writes for a request with this {@code Accept} header. */
    String contentType(@Nullable String accept);

    void write(@Nullable String accept, OutputStream out) throws IOException;
}
