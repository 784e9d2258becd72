package dev.ebb.deploy;

import static dev.ebb.deploy.YamlFiles.DOCKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import dev.ebb.api.access.TokenList;
import dev.ebb.api.access.UnusableFileException;
import dev.ebb.config.Address;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests against the types of the Kubernetes API, and against each other. */
class KubernetesManifestsTest {

    private static final String SECRETS = "/run/secrets/ebb/";
    private static final Path OVERLAYS = DOCKER.resolve("kubernetes");
    private static final Path FOLDER = OVERLAYS.resolve("base");
    private static final String KUSTOMIZATION = "kustomization.yaml";

    /** Longer than the application lets itself have before it ends by force. */
    private static final int SECONDS_TO_STOP = 60;

    private static final Map<String, Schema> SCHEMAS = Map.of(
            "v1 ServiceAccount", V1ServiceAccount::validateJsonElement,
            "v1 ConfigMap", V1ConfigMap::validateJsonElement,
            "v1 Secret", V1Secret::validateJsonElement,
            "v1 Service", V1Service::validateJsonElement,
            "batch/v1 Job", V1Job::validateJsonElement,
            "apps/v1 StatefulSet", V1StatefulSet::validateJsonElement,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement);

    private final Map<String, JsonNode> manifests = manifests();
    private final JsonNode set = manifests.get("StatefulSet ebb");
    private final JsonNode pod = set.at("/spec/template/spec");
    private final JsonNode container = pod.path("containers").path(0);

    @TempDir
    private Path folder;

    /** Refuses what the API does not know, at any depth, and misses what it requires. */
    private interface Schema {
        void validate(JsonElement json) throws IOException;
    }

    @Test
    void shouldBeWhatTheApiKnows() {
        assertThat(manifests.values()).hasSize(10).allSatisfy(KubernetesManifestsTest::validate);
    }

    @Test
    void shouldNotPassWithAMisspeltField() {
        ObjectNode probe = (ObjectNode) container.at("/livenessProbe/httpGet");
        probe.put("pathh", "/health/live");

        assertThatThrownBy(() -> validate(set)).hasMessageContaining("`pathh`");
    }

    @Test
    void shouldNotPassWithoutARequiredField() {
        ((ObjectNode) set.path("spec")).remove("selector");

        assertThatThrownBy(() -> validate(set)).hasMessageContaining("`selector`");
    }

    @Test
    void shouldListEveryManifestButTheExample() {
        Set<String> listed = YamlFiles.elements(YamlFiles.documents(FOLDER.resolve(KUSTOMIZATION))
                        .get(0)
                        .path("resources"))
                .map(JsonNode::asText)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> there = files().map(file -> file.getFileName().toString())
                .filter(name -> !name.equals("secret.example.yaml"))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(listed).isEqualTo(there);
    }

    /** What {@code kubectl apply -k} refuses: a missing file, a folder without a kustomization, and a base around its overlay. */
    @ParameterizedTest
    @ValueSource(strings = {"base", "tls"})
    void shouldOnlyNameFilesAndBasesThatKustomizeTakes(String name) {
        assertThat(unusable(OVERLAYS.resolve(name))).isEmpty();
    }

    @Test
    void shouldNoticeABaseAroundItsOverlay() throws IOException {
        Path overlay = Files.createDirectories(folder.resolve("base/tls"));
        Files.writeString(folder.resolve("base").resolve(KUSTOMIZATION), "resources: [set.yaml]\n");
        Files.writeString(overlay.resolve(KUSTOMIZATION), "resources: [.., gone.yaml]\npatches: [{path: lost.yaml}]\n");

        assertThat(unusable(overlay)).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "tls"})
    void shouldBuildAsTheClusterGetsIt(String name) throws Exception {
        assumeTrue(Programs.isInstalled("kubectl"), "kubectl is not installed");
        Path built = folder.resolve(name + ".yaml");
        new Shell(OVERLAYS, Map.of()).must("kubectl kustomize " + name + " > " + built);

        List<JsonNode> documents = YamlFiles.documents(built);
        assertThat(documents).hasSize(9).allSatisfy(KubernetesManifestsTest::validate);
        assertThat(documents)
                .allSatisfy(one ->
                        assertThat(one.at("/metadata/namespace").asText()).isEqualTo("ebb"));
        JsonNode ebb = documents.stream()
                .filter(one -> one.path("kind").asText().equals("StatefulSet"))
                .findFirst()
                .orElseThrow()
                .at("/spec/template/spec/containers/0");
        assertThat(YamlFiles.elements(ebb.path("env"))
                        .map(one -> one.path("name").asText()))
                .contains("EBB_CONFIG", "EBB_GROUP_INSTANCE_ID");
        assertThat(YamlFiles.elements(ebb.path("volumeMounts"))
                        .anyMatch(one -> one.path("name").asText().equals("tls")))
                .isEqualTo(name.equals("tls"));
    }

    @Test
    @Tag("R-14")
    void shouldGiveTheOperatorOfPrometheusTheSameAlerts() {
        Path monitoring = OVERLAYS.resolve("monitoring");
        JsonNode rule =
                YamlFiles.documents(monitoring.resolve("prometheus-rule.yaml")).get(0);
        JsonNode monitor =
                YamlFiles.documents(monitoring.resolve("pod-monitor.yaml")).get(0);
        JsonNode alerts = YamlFiles.documents(DOCKER.resolve("../config/prometheus/ebb-alerts.yaml"))
                .get(0);

        assertThat(unusable(monitoring)).isEmpty();
        assertThat(rule.at("/spec/groups")).isEqualTo(alerts.path("groups"));
        assertThat(rule.at("/spec/groups/0/rules").toString())
                .contains("EbbDiskFull", "EbbHeapFull", "EbbThreadsFailed", "EbbBrakeWaiting");
        // The alerts ask for the job ebb, and a PodMonitor names it by a label of the pods.
        assertThat(alerts.toString()).contains("job=\\\"ebb\\\"");
        JsonNode labels = set.at("/spec/template/metadata/labels");
        assertThat(labels.path(monitor.at("/spec/jobLabel").asText()).asText()).isEqualTo("ebb");
        assertThat(monitor.at("/spec/selector/matchLabels")).isEqualTo(labels);
        assertThat(monitor.at("/spec/podMetricsEndpoints/0/port")).isEqualTo(container.at("/ports/0/name"));
    }

    private static List<String> unusable(Path kustomization) {
        JsonNode root =
                YamlFiles.documents(kustomization.resolve(KUSTOMIZATION)).get(0);
        List<String> unusable = new ArrayList<>();
        YamlFiles.elements(root.path("resources")).map(JsonNode::asText).forEach(name -> {
            Path resource = kustomization.resolve(name).normalize();
            if (Files.isDirectory(resource)) {
                if (kustomization.normalize().startsWith(resource) || !Files.exists(resource.resolve(KUSTOMIZATION))) {
                    unusable.add(name);
                }
            } else if (!Files.exists(resource) || !resource.startsWith(kustomization.normalize())) {
                unusable.add(name);
            }
        });
        YamlFiles.elements(root.path("patches"))
                .map(patch -> patch.path("path").asText())
                .filter(name -> !Files.exists(kustomization.resolve(name)))
                .forEach(unusable::add);
        return unusable;
    }

    @ParameterizedTest
    @ValueSource(strings = {"StatefulSet ebb", "Job ebb-topics"})
    void shouldFindWhatThePodsRefer(String name) {
        JsonNode spec = manifests.get(name).at("/spec/template/spec");
        assertThat(manifests)
                .containsKey("ServiceAccount " + spec.path("serviceAccountName").asText());
        Set<String> volumes = YamlFiles.elements(spec.path("volumes"))
                .peek(volume -> {
                    if (volume.has("configMap")) {
                        assertThat(manifests)
                                .containsKey("ConfigMap "
                                        + volume.at("/configMap/name").asText());
                    }
                    if (volume.has("secret")) {
                        assertThat(manifests)
                                .containsKey("Secret "
                                        + volume.at("/secret/secretName").asText());
                    }
                })
                .map(volume -> volume.path("name").asText())
                .collect(Collectors.toSet());
        YamlFiles.elements(manifests.get(name).at("/spec/volumeClaimTemplates"))
                .forEach(claim -> volumes.add(claim.at("/metadata/name").asText()));

        assertThat(YamlFiles.elements(spec.at("/containers/0/volumeMounts"))
                        .map(mount -> mount.path("name").asText()))
                .containsExactlyInAnyOrderElementsOf(volumes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"StatefulSet ebb", "Job ebb-topics"})
    void shouldGivePodsNoRights(String name) {
        JsonNode spec = manifests.get(name).at("/spec/template/spec");
        JsonNode context = spec.at("/containers/0/securityContext");

        assertThat(spec.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(spec.at("/securityContext/runAsUser").asInt()).isEqualTo(10001);
        assertThat(spec.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
        assertThat(spec.path("automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(context.path("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(context.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
        assertThat(spec.at("/containers/0/resources/limits/memory").asText()).isNotEmpty();
        assertThat(spec.at("/containers/0/image").asText()).matches(YamlFiles.PINNED);
        // The variables that Kubernetes makes of the service ebb-api would be unknown settings.
        assertThat(spec.path("enableServiceLinks").asBoolean(true)).isFalse();
    }

    @Test
    void shouldSelectItsOwnPodsAndNoOthers() {
        JsonNode labels = set.at("/spec/template/metadata/labels");

        assertThat(set.at("/spec/selector/matchLabels")).isEqualTo(labels);
        assertThat(manifests.get("Service ebb").at("/spec/selector")).isEqualTo(labels);
        assertThat(manifests.get("Service ebb-api").at("/spec/selector")).isEqualTo(labels);
        assertThat(manifests.get("PodDisruptionBudget ebb").at("/spec/selector/matchLabels"))
                .isEqualTo(labels);
        assertThat(manifests.get("NetworkPolicy ebb").at("/spec/podSelector/matchLabels"))
                .isEqualTo(labels);
        assertThat(manifests.get("Job ebb-topics").at("/spec/template/metadata/labels"))
                .isNotEqualTo(labels);
    }

    @Test
    void shouldReachAnInstanceUnderTheNameThatItAdvertises() {
        JsonNode service =
                manifests.get("Service " + set.at("/spec/serviceName").asText());
        EbbConfig config = config();

        assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");
        assertThat(service.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
        assertThat(config.apiAdvertised().toString()).isEqualTo("ebb-0.ebb.ebb.svc:8480");
        assertThat(config.get(Settings.API_LISTEN).toString()).isEqualTo("0.0.0.0:8480");
        assertThat(config.get(Settings.GROUP_INSTANCE_ID)).contains("ebb-0");
        assertThat(container.at("/ports/0/containerPort").asInt()).isEqualTo(8480);
        for (String name : List.of("Service ebb", "Service ebb-api")) {
            assertThat(manifests.get(name).at("/spec/ports/0/port").asInt()).isEqualTo(8480);
            assertThat(manifests.get(name).at("/spec/ports/0/targetPort")).isEqualTo(container.at("/ports/0/name"));
        }
        assertThat(manifests
                        .get("NetworkPolicy ebb")
                        .at("/spec/ingress/0/ports/0/port")
                        .asInt())
                .isEqualTo(8480);
    }

    @Test
    @Tag("O-18")
    void shouldAskForHealthAtItsOwnPortAndShowItToNobodyElse() {
        Address health = config().get(Settings.HEALTH_LISTEN).orElseThrow();
        JsonNode port = container.at("/ports/1");

        assertThat(health.host()).isEqualTo("0.0.0.0");
        assertThat(port.path("containerPort").asInt()).isEqualTo(health.port());
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            assertThat(container.at("/" + probe + "/httpGet/port")).as(probe).isEqualTo(port.path("name"));
        }
        for (String name : List.of("Service ebb", "Service ebb-api")) {
            assertThat(manifests.get(name).at("/spec/ports")).hasSize(1);
        }
        assertThat(manifests.get("NetworkPolicy ebb").at("/spec/ingress/0/ports"))
                .hasSize(1);
    }

    @Test
    void shouldKeepStateInTheVolumeOfThePod() {
        String mount = YamlFiles.elements(container.path("volumeMounts"))
                .filter(volume -> volume.path("name").equals(set.at("/spec/volumeClaimTemplates/0/metadata/name")))
                .map(volume -> volume.path("mountPath").asText())
                .findFirst()
                .orElseThrow();

        assertThat(config().get(Settings.STATE_DIR).startsWith(mount)).isTrue();
        assertThat(YamlFiles.text(DOCKER.resolve("Dockerfile"))).contains("VOLUME " + mount);
    }

    @Test
    void shouldReadSecretsWhereTheyAre() {
        Properties properties = properties();
        Set<String> read = Stream.concat(
                        properties.stringPropertyNames().stream().map(properties::getProperty),
                        YamlFiles.elements(container.path("env"))
                                .map(variable -> variable.path("value").asText()))
                .filter(value -> value.startsWith(SECRETS))
                .map(value -> value.substring(SECRETS.length()))
                .collect(Collectors.toSet());
        Set<String> made = new TreeSet<>();
        manifests.get("Secret ebb").path("stringData").fieldNames().forEachRemaining(made::add);

        assertThat(read).containsExactlyInAnyOrder("sql-password", "peer-secret", "tokens");
        assertThat(made).isEqualTo(read);
        // An intruder in one pod must not find there the means to command all of them.
        assertThat(YamlFiles.elements(pod.path("volumes"))
                        .filter(volume -> volume.has("secret"))
                        .flatMap(volume -> YamlFiles.elements(volume.at("/secret/items")))
                        .map(item -> item.path("path").asText()))
                .containsExactlyInAnyOrderElementsOf(read);
        assertThat(YamlFiles.elements(container.path("volumeMounts"))
                        .map(mount -> mount.path("mountPath").asText() + "/"))
                .contains(SECRETS);
    }

    @Test
    void shouldReachWhatItsSettingsNameAndNothingElse() {
        // given
        JsonNode policy = manifests.get("NetworkPolicy ebb-egress").path("spec");
        Set<String> named = Pattern.compile("[a-z-]+\\.([a-z]+)\\.svc:(\\d+)")
                .matcher(String.join(
                        " ", properties().values().stream().map(String::valueOf).toList()))
                .results()
                .map(match -> match.group(1) + ":" + match.group(2))
                .collect(Collectors.toCollection(TreeSet::new));

        // when
        Set<String> allowed = new TreeSet<>();
        YamlFiles.elements(policy.path("egress"))
                .forEach(rule -> YamlFiles.elements(rule.path("to")).forEach(to -> {
                    assertThat(to.isEmpty()).isFalse();
                    String namespace = to.at("/namespaceSelector/matchLabels")
                            .path("kubernetes.io/metadata.name")
                            .asText("itself");
                    YamlFiles.elements(rule.path("ports"))
                            .forEach(port -> allowed.add(
                                    namespace + ":" + port.path("port").asInt()));
                }));

        // then
        named.addAll(Set.of("kube-system:53", "itself:8480"));
        assertThat(named).hasSize(6);
        assertThat(allowed).isEqualTo(named);
        assertThat(policy.path("policyTypes").path(0).asText()).isEqualTo("Egress");
        assertThat(policy.at("/podSelector/matchLabels").toString()).isEqualTo("{\"app.kubernetes.io/name\":\"ebb\"}");
    }

    @Test
    void shouldSpeakTlsWithTheOverlay() {
        // given
        Path overlay = OVERLAYS.resolve("tls");
        JsonNode patch =
                YamlFiles.documents(overlay.resolve("stateful-set.yaml")).get(0);
        JsonNode patched = patch.at("/spec/template/spec/containers/0");
        Map<String, String> variables = YamlFiles.elements(patched.path("env"))
                .collect(Collectors.toMap(each -> each.path("name").asText(), each -> each.path("value")
                        .asText()));
        String mount = patched.at("/volumeMounts/0/mountPath").asText() + "/";

        // when, then
        assertThat(YamlFiles.text(overlay.resolve(KUSTOMIZATION))).contains("  - ../base\n", "path: stateful-set.yaml");
        assertThat(patch.at("/metadata/name")).isEqualTo(set.at("/metadata/name"));
        assertThat(patched.path("name")).isEqualTo(container.path("name"));
        assertThat(variables)
                .containsEntry("EBB_API_INSECURE", "false")
                .containsEntry("EBB_API_TLS_CERTIFICATE", mount + "tls.crt")
                .containsEntry("EBB_API_TLS_KEY", mount + "tls.key")
                .containsEntry("EBB_API_PEER_CA_FILE", mount + "ca.crt")
                .containsEntry("EBB_CA_FILE", mount + "ca.crt");
        // The port of probes speaks plain HTTP whatever the API speaks: a probe with HTTPS would fail for ever.
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            assertThat(container.at("/" + probe + "/httpGet/port").asText()).isEqualTo("health");
            assertThat(container.at("/" + probe + "/httpGet/scheme").asText("HTTP"))
                    .isEqualTo("HTTP");
            assertThat(patched.path(probe).isMissingNode()).as(probe).isTrue();
        }
        assertThat(patch.at("/spec/template/spec/volumes/0/name")).isEqualTo(patched.at("/volumeMounts/0/name"));
    }

    /** It reads its settings, and with them the files that hold a value; tokens it has none. */
    @Test
    void shouldGiveTheJobNoTokens() {
        JsonNode spec = manifests.get("Job ebb-topics").at("/spec/template/spec");

        assertThat(YamlFiles.elements(spec.path("volumes"))
                        .filter(volume -> volume.has("secret"))
                        .flatMap(volume -> YamlFiles.elements(volume.at("/secret/items")))
                        .map(item -> item.path("path").asText()))
                .containsExactlyInAnyOrder("sql-password", "peer-secret");
    }

    @Test
    void shouldNotStartWithTheSecretsOfTheExample() {
        JsonNode example = manifests.get("Secret ebb").path("stringData");

        assertThat(example.path("peer-secret").asText()).doesNotMatch("[!-~]{16,200}");
        assertThatThrownBy(() -> TokenList.read(Files.writeString(
                        folder.resolve("tokens"), example.path("tokens").asText())))
                .isInstanceOf(UnusableFileException.class);
    }

    @Test
    void shouldGiveAPodTheTimeThatItNeedsToStop() {
        assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isGreaterThan(SECONDS_TO_STOP);
        assertThat(set.at("/spec/updateStrategy/type").asText()).isEqualTo("RollingUpdate");
        assertThat(manifests
                        .get("PodDisruptionBudget ebb")
                        .at("/spec/maxUnavailable")
                        .asInt())
                .isEqualTo(1);
    }

    /** As an instance would read it: an unknown setting or a bad value fails. */
    private EbbConfig config() {
        Path file = folder.resolve("ebb.properties");
        try {
            String text =
                    manifests.get("ConfigMap ebb").at("/data/ebb.properties").asText();
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> environment = YamlFiles.elements(container.path("env"))
                .filter(variable -> variable.has("value"))
                .collect(Collectors.toMap(variable -> variable.path("name").asText(), variable -> variable.path("value")
                        .asText()));
        return DeployedSettings.load(file, environment, folder);
    }

    private Properties properties() {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(
                    manifests.get("ConfigMap ebb").at("/data/ebb.properties").asText()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }

    static void validate(JsonNode manifest) {
        String kind = manifest.path("apiVersion").asText() + " "
                + manifest.path("kind").asText();
        assertThat(SCHEMAS).containsKey(kind);
        try {
            SCHEMAS.get(kind).validate(JsonParser.parseString(manifest.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, JsonNode> manifests() {
        Map<String, JsonNode> manifests = new TreeMap<>();
        files().flatMap(file -> YamlFiles.documents(file).stream())
                .forEach(manifest -> manifests.put(
                        manifest.path("kind").asText() + " "
                                + manifest.at("/metadata/name").asText(),
                        manifest));
        return manifests;
    }

    private static Stream<Path> files() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files
                    .filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.endsWith(KUSTOMIZATION))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
