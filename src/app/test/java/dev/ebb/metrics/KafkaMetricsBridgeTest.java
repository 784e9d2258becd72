package dev.ebb.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.Test;

class KafkaMetricsBridgeTest {

    private final Map<MetricName, Metric> metrics = new LinkedHashMap<>();

    @Test
    void shouldKeepMetricsOfOneNameWhoseTagsDiffer() throws IOException {
        // given
        add("records-lag-max", 3.0, Map.of("client-id", "a"));
        add("records-lag-max", 4.0, Map.of("client-id", "a", "topic", "t\"1"));

        // then
        assertThat(page())
                .contains("kafka_consumer_metrics_records_lag_max{client_id=\"a\"} 3.0")
                .contains("kafka_consumer_metrics_records_lag_max{client_id=\"a\",topic=\"t\\\"1\"} 4.0");
    }

    @Test
    void shouldLeaveOutMetricsThatAreNoNumbers() throws IOException {
        // given
        add("version", "4", Map.of());
        add("rate", Double.NaN, Map.of());
        add("closed", new IllegalStateException("closed"), Map.of());
        add("state", 2, Map.of());

        // then
        assertThat(page().lines().filter(line -> !line.startsWith("#")))
                .containsExactly("kafka_consumer_metrics_state 2.0");
    }

    @Test
    void shouldShowOneOfTwoThatOnlyDifferInTheirPunctuation() throws IOException {
        // given
        add("poll-total", 1.0, Map.of("client-id", "a"));
        add("poll_total", 2.0, Map.of("client.id", "a"));
        add("poll", 5.0, Map.of("client-id", "a"));

        // then
        assertThat(page().lines().filter(line -> !line.startsWith("#")))
                .containsExactly(
                        "kafka_consumer_metrics_poll{client_id=\"a\"} 5.0",
                        "kafka_consumer_metrics_poll_sum{client_id=\"a\"} 1.0");
    }

    private void add(String name, Object value, Map<String, String> tags) {
        MetricName metricName = new MetricName(name, "consumer-metrics", "what it says", tags);
        metrics.put(metricName, new Metric() {
            @Override
            public MetricName metricName() {
                return metricName;
            }

            @Override
            public Object metricValue() {
                if (value instanceof RuntimeException e) {
                    throw e;
                }
                return value;
            }
        });
    }

    private String page() throws IOException {
        var registry = new PrometheusRegistry();
        registry.register(new KafkaMetricsBridge(() -> metrics));
        var out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(out, registry.scrape());
        return out.toString(StandardCharsets.UTF_8);
    }
}
