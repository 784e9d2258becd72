package dev.ebb.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.PrometheusNaming;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Kafka's own metrics as gauges, {@code kafka_} with their group and name, labelled with their tags. Metrics of one
 * name may have different tags; texts and unknown values are left out.
 */
public final class KafkaMetricsBridge implements MultiCollector {

    private final Supplier<? extends Map<MetricName, ? extends Metric>> metrics;

    /** @param metrics the metrics to show, read at each scrape */
    public KafkaMetricsBridge(Supplier<? extends Map<MetricName, ? extends Metric>> metrics) {
        this.metrics = metrics;
    }

    @Override
    public MetricSnapshots collect() {
        Map<String, Family> families = new TreeMap<>();
        metrics.get().forEach((name, metric) -> valueOf(metric)
                .ifPresent(value -> families.computeIfAbsent(nameOf(name), key -> new Family(name.description()))
                        .add(labelsOf(name), value)));
        MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
        families.forEach((name, family) -> snapshots.metricSnapshot(family.snapshot(name)));
        return snapshots.build();
    }

    /**
     * Returns the name of a metric. In Prometheus {@code total} at the end is reserved for counters, and these metrics
     * may go back when a client restarts.
     */
    private static String nameOf(MetricName name) {
        String full = "kafka_" + name.group() + "_" + name.name();
        return PrometheusNaming.sanitizeMetricName(
                full.replaceAll("[^A-Za-z0-9_]", "_").replaceAll("_total$", "_sum_total"));
    }

    private static Labels labelsOf(MetricName name) {
        Labels.Builder labels = Labels.builder();
        new TreeMap<>(name.tags())
                .forEach((tag, value) -> labels.label(
                        PrometheusNaming.sanitizeLabelName(tag.replaceAll("[^A-Za-z0-9_]", "_")),
                        value == null ? "" : value));
        return labels.build();
    }

    private static OptionalDouble valueOf(Metric metric) {
        try {
            return metric.metricValue() instanceof Number number && !Double.isNaN(number.doubleValue())
                    ? OptionalDouble.of(number.doubleValue())
                    : OptionalDouble.empty();
        } catch (RuntimeException e) {
            // Some metrics are computed from a store or a client that another thread has just closed.
            return OptionalDouble.empty();
        }
    }

    /**
     * All metrics of one name. Of two with equal tags only one is shown, since Prometheus would refuse a page with
     * both.
     */
    private static final class Family {

        private final String help;
        private final Map<Labels, Double> values = new TreeMap<>();

        Family(String help) {
            this.help = help;
        }

        void add(Labels labels, double value) {
            values.putIfAbsent(labels, value);
        }

        GaugeSnapshot snapshot(String name) {
            GaugeSnapshot.Builder snapshot = GaugeSnapshot.builder().name(name).help(help);
            values.forEach((labels, value) -> snapshot.dataPoint(
                    GaugeDataPointSnapshot.builder().labels(labels).value(value).build()));
            return snapshot.build();
        }
    }
}
