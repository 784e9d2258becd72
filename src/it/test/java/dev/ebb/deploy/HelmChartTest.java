package dev.ebb.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart, rendered by Helm itself, against the manifests beside it and the types of the Kubernetes API. */
@Tag("R-14")
class HelmChartTest {

    private static final Path CHART =
            YamlFiles.DOCKER.resolve("kubernetes/chart").toAbsolutePath();
    private static final Helm CHARTED = new Helm(CHART);
    private static final Path MANIFESTS = YamlFiles.DOCKER.resolve("kubernetes");

    /** Labels that releases of Helm have, and that say nothing of Ebb. */
    private static final List<String> OF_HELM = List.of(
            "app.kubernetes.io/instance",
            "app.kubernetes.io/version",
            "app.kubernetes.io/managed-by",
            "helm.sh/chart",
            "checksum/config");

    @TempDir
    private Path folder;

    @Test
    void shouldMakeWhatTheManifestsMake() throws IOException {
        // given
        Map<String, JsonNode> manifests = new TreeMap<>();
        try (var files = Files.list(MANIFESTS.resolve("base"))) {
            files.filter(file -> !file.endsWith("kustomization.yaml") && !file.endsWith("secret.example.yaml"))
                    .flatMap(file -> YamlFiles.documents(file).stream())
                    .forEach(document -> manifests.put(nameOf(document), plain(document)));
        }

        // when
        Map<String, JsonNode> made = rendered(template());

        // then
        assertThat(made.keySet()).isEqualTo(manifests.keySet());
        assertThat(made)
                .allSatisfy((name, document) -> assertThat(document).as(name).isEqualTo(manifests.get(name)));
    }

    /** The overlay replaces what has the same name, and adds the rest. */
    @Test
    void shouldSpeakTlsAsTheOverlayDoes() throws IOException {
        // given
        JsonNode overlay = YamlFiles.documents(MANIFESTS.resolve("tls/stateful-set.yaml"))
                .get(0)
                .at("/spec/template");
        JsonNode plain = rendered(template()).get("StatefulSet ebb").at("/spec/template");

        // when
        JsonNode made = rendered(template().set("tls.enabled", true))
                .get("StatefulSet ebb")
                .at("/spec/template");

        // then
        assertThat(made.at("/metadata/annotations/prometheus.io~1scheme"))
                .isEqualTo(overlay.at("/metadata/annotations/prometheus.io~1scheme"));
        for (String list : List.of("/spec/containers/0/env", "/spec/containers/0/volumeMounts", "/spec/volumes")) {
            Map<String, JsonNode> expected = byName(plain.at(list));
            expected.putAll(byName(overlay.at(list)));
            assertThat(byName(made.at(list))).as(list).isEqualTo(expected);
        }
    }

    @Test
    void shouldGiveTheOperatorOfPrometheusTheSameMonitorAndAlerts() throws IOException {
        // given
        JsonNode monitor = plain(YamlFiles.documents(MANIFESTS.resolve("monitoring/pod-monitor.yaml"))
                .get(0));
        JsonNode rule = plain(YamlFiles.documents(MANIFESTS.resolve("monitoring/prometheus-rule.yaml"))
                .get(0));

        // when
        Map<String, JsonNode> made = rendered(
                template().set("monitoring.podMonitor.enabled", true).set("monitoring.prometheusRule.enabled", true));

        // then
        assertThat(made.get("PodMonitor ebb")).isEqualTo(monitor);
        assertThat(made.get("PrometheusRule ebb")).isEqualTo(rule);
        assertThat(CHART.resolve("files/ebb-alerts.yaml"))
                .hasSameTextualContentAs(YamlFiles.DOCKER.resolve("../config/prometheus/ebb-alerts.yaml"));
    }

    /** An instance reads what the chart writes, also under another name and in another namespace. */
    @Test
    void shouldFindItselfUnderTheNameOfAnyRelease() throws IOException {
        // when
        Map<String, JsonNode> made = rendered(CHARTED.template()
                .withName("shop")
                .withNamespace("retention")
                .withValuesFile(values("settings: {topics.prefix: shop.}"))
                .set("networkPolicy.enabled", false));
        JsonNode set = made.get("StatefulSet shop-ebb");
        Path settings = folder.resolve("ebb.properties");
        try (var out = Files.newBufferedWriter(settings)) {
            Properties properties = new Properties();
            made.get("ConfigMap shop-ebb")
                    .path("data")
                    .properties()
                    .iterator()
                    .forEachRemaining(entry ->
                            properties.put(entry.getKey(), entry.getValue().asText()));
            properties.store(out, null);
        }
        Map<String, String> variables = byName(set.at("/spec/template/spec/containers/0/env")).entrySet().stream()
                .filter(variable -> variable.getValue().has("value"))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        variable -> variable.getValue().path("value").asText()));
        EbbConfig config = DeployedSettings.load(settings, variables, folder);

        // then
        assertThat(config.get(Settings.TOPICS_PREFIX)).isEqualTo("shop.");
        assertThat(config.apiAdvertised().toString()).isEqualTo("ebb-0.shop-ebb.ebb.svc:8480");
        assertThat(set.at("/spec/serviceName").asText()).isEqualTo("shop-ebb");
        JsonNode labels = set.at("/spec/template/metadata/labels");
        assertThat(set.at("/spec/selector/matchLabels")).isEqualTo(labels);
        assertThat(made.get("Service shop-ebb").at("/spec/selector")).isEqualTo(labels);
        assertThat(made.get("Service shop-ebb-api").at("/spec/selector")).isEqualTo(labels);
        assertThat(made.get("PodDisruptionBudget shop-ebb").at("/spec/selector/matchLabels"))
                .isEqualTo(labels);
        assertThat(made.keySet()).noneMatch(name -> name.startsWith("NetworkPolicy"));
        assertThat(made).allSatisfy((name, document) -> assertThat(document.toString())
                .as(name)
                .doesNotContain("\"name\":\"ebb-topics", "\"serviceAccountName\":\"ebb\""));
    }

    /** A change of the settings replaces the pods, which read them once. */
    @Test
    void shouldReplaceThePodsWhenASettingChanges() throws IOException {
        String path = "/spec/template/metadata/annotations/checksum~1config";
        String before = document(template(), "StatefulSet").at(path).asText();
        String same = document(template().set("replicaCount", 5), "StatefulSet")
                .at(path)
                .asText();
        String after = document(template().withValuesFile(values("settings: {standby.replicas: '2'}")), "StatefulSet")
                .at(path)
                .asText();

        assertThat(before).hasSize(64).isEqualTo(same).isNotEqualTo(after);
    }

    /** Values that would fail later, or not at all: a slip of the pen, a secret in a ConfigMap, memory without a limit. */
    @ParameterizedTest
    @CsvSource({
        "replicaCounts, 3, replicaCounts",
        "settings.sql\\.password, secret, sql.password",
        "settings.api\\.peer\\.secret, secret, api.peer.secret",
        "image.tag, latest, /image/tag",
        "resources.limits, , resources",
        "networkPolicy.to, anywhere, /networkPolicy/to",
        "settings.standby\\.replicas, 2, /settings/standby.replicas",
    })
    void shouldRefuseValuesThatCannotBeMeant(String key, String value, String named) {
        assertThatThrownBy(() -> template().set(key, value == null ? "" : value).call())
                .hasMessageContaining(named);
    }

    @Test
    void shouldBeAChartOfThisVersionThatHelmLikes() {
        LintResult lint = CHARTED.lint().strict().call();
        JsonNode chart = YamlFiles.documents(CHART.resolve("Chart.yaml")).get(0);

        assertThat(lint.isFailed()).as(lint.getMessages().toString()).isFalse();
        assertThat(chart.path("version")).isEqualTo(chart.path("appVersion"));
    }

    private static TemplateCommand template() {
        return CHARTED.template().withName("ebb").withNamespace("ebb");
    }

    private Path values(String yaml) throws IOException {
        return Files.writeString(folder.resolve("values.yaml"), yaml);
    }

    private Map<String, JsonNode> rendered(TemplateCommand command) throws IOException {
        return documents(command).stream()
                .peek(document -> {
                    if (!document.path("apiVersion").asText().startsWith("monitoring.")) {
                        KubernetesManifestsTest.validate(document);
                    }
                })
                .collect(Collectors.toMap(HelmChartTest::nameOf, HelmChartTest::plain));
    }

    private JsonNode document(TemplateCommand command, String kind) throws IOException {
        return documents(command).stream()
                .filter(document -> document.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private List<JsonNode> documents(TemplateCommand command) throws IOException {
        return YamlFiles.documents(Files.writeString(folder.resolve("rendered.yaml"), command.call()));
    }

    /** A job cannot be changed, so each revision of a release has its own. */
    private static String nameOf(JsonNode document) {
        return document.path("kind").asText() + " "
                + document.at("/metadata/name").asText().replaceFirst("-topics-1$", "-topics");
    }

    /** Leaves out what says nothing of Ebb: labels of Helm, the namespace of the release, and the order of settings. */
    private static JsonNode plain(JsonNode document) {
        ObjectNode copy = document.deepCopy();
        ObjectNode metadata = (ObjectNode) copy.path("metadata");
        metadata.remove("namespace");
        metadata.put("name", metadata.path("name").asText().replaceFirst("-topics-1$", "-topics"));
        copy.findParents("app.kubernetes.io/name").forEach(labels -> ((ObjectNode) labels).remove(OF_HELM));
        copy.findParents("checksum/config").forEach(labels -> ((ObjectNode) labels).remove(OF_HELM));
        if (copy.has("data")) {
            copy.set("data", new ObjectMapper().valueToTree(settings(copy)));
        }
        return copy;
    }

    private static Map<Object, Object> settings(JsonNode map) {
        Properties settings = new Properties();
        try (var text = new StringReader(map.at("/data/ebb.properties").asText())) {
            settings.load(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return new TreeMap<>(settings);
    }

    private static Map<String, JsonNode> byName(JsonNode list) {
        return YamlFiles.elements(list)
                .collect(Collectors.toMap(
                        each -> each.path("name").asText(), each -> each, (one, other) -> other, TreeMap::new));
    }
}
