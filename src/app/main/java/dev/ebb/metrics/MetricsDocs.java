package dev.ebb.metrics;

import dev.ebb.config.GeneratedSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the table of metrics in {@code docs/reference/metrics.md} from their definitions. Run it in the project's folder. */
public final class MetricsDocs {

    static final Path PAGE = Path.of("docs", "reference", "metrics.md");
    static final String SECTION = "metrics";

    private MetricsDocs() {}

    /** Writes the table. */
    public static void main(String[] args) throws IOException {
        new GeneratedSection(SECTION).write(PAGE, table());
    }

    static String table() {
        return "| metric | type | labels | meaning |\n|---|---|---|---|\n"
                + Arrays.stream(Meter.values()).map(MetricsDocs::rowOf).collect(Collectors.joining());
    }

    private static String rowOf(Meter meter) {
        String kind = meter.kind().name().toLowerCase(Locale.ROOT);
        return "| `" + meter.title() + "` | " + kind + " | " + String.join(", ", meter.labels()) + " | " + meter.help()
                + " |\n";
    }
}
