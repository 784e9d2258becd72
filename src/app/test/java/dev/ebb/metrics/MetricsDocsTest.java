package dev.ebb.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.GeneratedSection;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class MetricsDocsTest {

    @Test
    void shouldStandInTheReferenceAsDefined() throws IOException {
        assertThat(new GeneratedSection(MetricsDocs.SECTION).read(MetricsDocs.PAGE))
                .as("out of date; run dev.ebb.metrics.MetricsDocs")
                .isEqualTo(MetricsDocs.table());
    }
}
