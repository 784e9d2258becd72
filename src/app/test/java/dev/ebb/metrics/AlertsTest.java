package dev.ebb.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Alerts and the dashboard ask for existing metrics, and each alert says how to react. */
class AlertsTest {

    private static final Path FOLDER = Path.of("config", "prometheus");
    private static final Path DASHBOARD = Path.of("config", "grafana", "ebb-dashboard.json");
    private static final Pattern OWN_METRIC = Pattern.compile("\\b(ebb|jvm|process)_[a-z0-9_]+");
    private static final Pattern SELECTOR = Pattern.compile("(ebb_[a-z0-9_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");

    /** Labels that Prometheus adds, and the one of histograms. */
    private static final Set<String> OTHER_LABELS = Set.of("instance", "job", "le");

    @Test
    void shouldAskForExistingMetricsAndLabels() throws IOException {
        List<String> expressions = new ArrayList<>();
        rules().forEach(rule -> expressions.add(rule.path("expr").asText()));
        new ObjectMapper()
                .readTree(DASHBOARD.toFile())
                .findValues("expr")
                .forEach(expression -> expressions.add(expression.asText()));
        assertThat(expressions).hasSizeGreaterThan(40);
        for (String expression : expressions) {
            assertThat(OWN_METRIC.matcher(expression).results().map(found -> found.group()))
                    .as(expression)
                    .allMatch(names()::contains);
            SELECTOR.matcher(expression).results().forEach(selector -> assertThat(LABEL.matcher(selector.group(2))
                            .results()
                            .map(label -> label.group(1))
                            .filter(label -> !OTHER_LABELS.contains(label)))
                    .as(expression)
                    .isSubsetOf(labelsOf(selector.group(1))));
        }
    }

    @Test
    void shouldDescribeTheReactionToEachAlertAndTestIt() throws IOException {
        // given
        String runbooks = Files.readString(Path.of("docs", "operations", "alerts.md"));
        String tests = Files.readString(FOLDER.resolve("ebb-alerts-test.yaml"));
        Set<String> sections = runbooks.lines()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> alerts = new TreeSet<>();

        for (JsonNode rule : rules()) {
            // when
            String alert = rule.path("alert").asText();
            alerts.add(alert);

            // then
            assertThat(rule.at("/annotations/runbook").asText())
                    .isEqualTo("docs/operations/alerts.md#" + alert.toLowerCase(Locale.ROOT));
            assertThat(rule.at("/annotations/summary").asText()).as(alert).isNotBlank();
            assertThat(rule.at("/annotations/description").asText()).as(alert).isNotBlank();
            assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
            assertThat(tests).contains("alertname: " + alert + "\n");
        }
        assertThat(sections).isEqualTo(alerts);
    }

    /** Skipped with a message where promtool is not installed; Debian has it in the package prometheus. */
    @Test
    @Timeout(60)
    void shouldFireWhereItShouldAndNowhereElse() throws IOException, InterruptedException {
        // given
        assumeThat(promtool())
                .as("promtool is not installed, so the alerts are not tried")
                .isNotEmpty();

        for (List<String> arguments : List.of(
                List.of("test", "rules", FOLDER.resolve("ebb-alerts-test.yaml").toString()),
                List.of("check", "config", FOLDER.resolve("prometheus.yaml").toString()))) {
            // when
            List<String> command = new ArrayList<>(List.of(promtool()));
            command.addAll(arguments);
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            // then
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
        }
    }

    private static String promtool() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .map(folder -> Path.of(folder, "promtool"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse("");
    }

    private static JsonNode rules() throws IOException {
        return new YAMLMapper()
                .readTree(FOLDER.resolve("ebb-alerts.yaml").toFile())
                .at("/groups/0/rules");
    }

    private static Set<String> names() {
        PrometheusRegistry process = new PrometheusRegistry();
        InstanceMetrics.registerProcess(process);
        Stream<String> ofProcess = process.scrape().stream()
                .map(metric -> metric.getMetadata().getPrometheusName())
                .flatMap(name -> Stream.of(name, name + "_total"));
        Stream<String> own = Arrays.stream(Meter.values())
                .flatMap(meter -> meter.kind() == Meter.Kind.HISTOGRAM
                        ? Stream.of("_bucket", "_sum", "_count").map(suffix -> meter.title() + suffix)
                        : Stream.of(meter.title()));
        return Stream.concat(own, ofProcess).collect(Collectors.toSet());
    }

    private static List<String> labelsOf(String metric) {
        return Arrays.stream(Meter.values())
                .filter(meter -> metric.startsWith(meter.title()))
                .flatMap(meter -> Stream.of(meter.labels()))
                .toList();
    }
}
