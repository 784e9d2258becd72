package dev.ebb.deploy;

import static dev.ebb.deploy.YamlFiles.DOCKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.api.access.Pem;
import dev.ebb.api.access.TokenEntry;
import dev.ebb.api.access.TokenList;
import dev.ebb.api.access.TokenSecret;
import dev.ebb.cli.Main;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts about the compose file and the Dockerfiles that hold without running them; {@code docker/try} runs them. */
class ComposeFileTest {

    private static final JsonNode COMPOSE = YamlFiles.merged(DOCKER.resolve("compose.yaml"));
    private static final JsonNode TLS = YamlFiles.merged(DOCKER.resolve("tls.yaml"));
    private static final List<String> OURS = List.of("ebb", "topics");
    private static final String SECRETS = "/run/secrets/";
    private static final String PROJECT = "${COMPOSE_PROJECT_NAME:-ebb}";

    @TempDir
    private Path folder;

    /** The application's own session is chosen so that a dead instance is noticed soon; a longer one would defeat that. */
    @Test
    @Tag("A-18")
    void shouldLeaveTheSessionOfInstancesToTheApplication() {
        assertThat(services().get("ebb").path("environment").has("EBB_KAFKA_SESSION_TIMEOUT_MS"))
                .isFalse();
        assertThat(YamlFiles.text(DOCKER.resolve("kubernetes/base/config-map.yaml")))
                .doesNotContain("session.timeout");
    }

    @Test
    void shouldPinEveryImage() {
        List<String> images = services().values().stream()
                .map(service -> service.path("image").asText().replaceAll("\\$\\{EBB_TAG:-(.*)}", "$1"))
                .toList();

        assertThat(images)
                .hasSize(services().size())
                .allMatch(image -> YamlFiles.PINNED.matcher(image).matches());
        assertThat(Stream.of("Dockerfile", "connect/Dockerfile")
                        .map(file -> YamlFiles.text(DOCKER.resolve(file)))
                        .map(text -> Pattern.compile("ARG \\w+_IMAGE=(.*)")
                                .matcher(text)
                                .results()
                                .map(match -> match.group(1))
                                .toList()))
                .allSatisfy(bases -> assertThat(bases)
                        .singleElement()
                        .matches(image -> YamlFiles.PINNED.matcher(image).matches()));
        assertThat(images).contains("apache/kafka:" + AppInfoParser.getVersion());
    }

    /** Docker's log grows for ever unless it is told otherwise. */
    @Test
    void shouldKeepTheLogsOfEveryServiceSmall() {
        assertThat(services().values()).allSatisfy(service -> {
            assertThat(service.at("/logging/driver").asText()).isEqualTo("json-file");
            assertThat(service.at("/logging/options/max-size").asText()).isEqualTo("10m");
            assertThat(service.at("/logging/options/max-file").asText()).isEqualTo("5");
        });
    }

    @Test
    void shouldNameTheVersionOfTheProject() throws Exception {
        var pom = Pattern.compile("<artifactId>ebb-parent</artifactId>\\s*<version>(.*?)</version>")
                .matcher(YamlFiles.text(DOCKER.resolve("../pom.xml")));
        assertThat(pom.find()).isTrue();
        String version = pom.group(1);

        assertThat(YamlFiles.text(DOCKER.resolve(".env"))).contains("EBB_TAG=" + version);
        assertThat(YamlFiles.text(DOCKER.resolve("compose.yaml"))).contains("${EBB_TAG:-" + version + "}");
        assertThat(YamlFiles.text(DOCKER.resolve("Dockerfile"))).contains("ARG VERSION=" + version);
        assertThat(YamlFiles.text(DOCKER.resolve("kubernetes/base/stateful-set.yaml")))
                .contains("ebb:" + version);
    }

    @Test
    void shouldGiveSettingsWithWhichAnInstanceStarts() {
        for (String service : OURS) {
            EbbConfig config =
                    DeployedSettings.load(null, environment(services().get(service)), folder);

            assertThat(config.apiAdvertised().toString()).isEqualTo("c0ffee:8480");
            assertThat(config.get(Settings.HEALTH_LISTEN)).hasToString("Optional[127.0.0.1:8481]");
            assertThat(config.get(Settings.GROUP_INSTANCE_ID)).contains("ebb-1");
            assertThat(config.get(Settings.STATE_DIR)).hasToString("/var/lib/ebb/1/state");
            assertThat(config.get(Settings.STANDBY_REPLICAS)).isEqualTo(1);
        }
    }

    @Test
    void shouldHaveEveryServiceThatASettingNames() {
        String settings = environment(services().get("ebb")).toString();
        List<String> hosts = Pattern.compile("(?:[/,= ])([a-z][a-z0-9-]*):(\\d{4})")
                .matcher(settings)
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(hosts).contains("kafka-1", "kafka-3", "registry", "postgres", "connect");
        assertThat(services()).containsKeys(hosts.toArray(String[]::new));
    }

    @Test
    void shouldMakeUpForNothingThatTheFileDoesNotDeclare() {
        List<String> undeclared = new ArrayList<>();
        services().forEach((name, service) -> {
            requireAll(undeclared, name, service.path("networks"), COMPOSE.path("networks"));
            requireAll(undeclared, name, service.path("secrets"), COMPOSE.path("secrets"));
            service.path("depends_on").fieldNames().forEachRemaining(other -> {
                boolean waitsForHealth = service.at("/depends_on/" + other + "/condition")
                        .asText()
                        .equals("service_healthy");
                if (!services().containsKey(other)
                        || waitsForHealth
                                && services().get(other).path("healthcheck").isMissingNode()) {
                    undeclared.add(name + " waits for " + other);
                }
            });
            YamlFiles.elements(service.path("volumes"))
                    .map(volume -> volume.asText().split(":", -1)[0])
                    .filter(source -> source.startsWith(".")
                            ? !Files.exists(DOCKER.resolve(source))
                            : !COMPOSE.path("volumes").has(source))
                    .forEach(source -> undeclared.add(name + " has the volume " + source));
        });

        assertThat(undeclared).isEmpty();
    }

    @Test
    void shouldGiveEachServiceTheSecretsThatItReads() {
        Map<String, String> instance = environment(services().get("ebb"));

        assertThat(instance)
                .containsEntry("EBB_API_TOKENS_FILE", SECRETS + "tokens")
                .containsEntry("EBB_TOKEN_FILE", SECRETS + "admin-token")
                .containsEntry("EBB_API_PEER_SECRET_FILE", SECRETS + "peer-secret")
                .containsEntry("EBB_SQL_PASSWORD_FILE", SECRETS + "sql-password");
        services().forEach((name, service) -> assertThat(environment(service).values().stream()
                        .filter(value -> value.startsWith(SECRETS))
                        .map(value -> value.substring(SECRETS.length())))
                .as(name)
                .isSubsetOf(secrets(service)));
        // The topics are made by the broker's rights: no token of the API lies in that container.
        assertThat(secrets(services().get("topics"))).containsExactlyInAnyOrder("sql-password", "peer-secret");
        assertThat(secrets(services().get("prometheus"))).containsExactly("viewer-token");
    }

    /** An intruder in a service finds no rights that the service does not need. */
    @Test
    void shouldGiveNoServiceMoreRightsThanItNeeds() {
        services().forEach((name, service) -> {
            assertThat(service.path("cap_drop").toString()).as(name).isEqualTo("[\"ALL\"]");
            assertThat(service.path("security_opt").toString()).as(name).contains("no-new-privileges:true");
        });
        for (String name : List.of("ebb", "topics", "postgres", "prometheus", "grafana")) {
            assertThat(services().get(name).path("read_only").asBoolean())
                    .as(name)
                    .isTrue();
        }
        assertThat(services().entrySet().stream()
                        .filter(service -> service.getValue().has("cap_add"))
                        .map(Map.Entry::getKey))
                .containsExactly("postgres");
    }

    @Test
    void shouldMakeEverySecretThatIsMissing() throws Exception {
        // given
        Path script = Files.copy(DOCKER.resolve("secrets.sh"), folder.resolve("secrets.sh"));
        Path made = Files.createDirectory(folder.resolve("secrets"));

        // when
        run(script);

        // then
        Set<String> names = fieldNames(COMPOSE.path("secrets"));
        assertThat(contents(made)).containsOnlyKeys(names).allSatisfy((name, text) -> assertThat(text)
                .isNotEmpty());
        assertThat(contents(made).get("peer-secret")).matches("[!-~]{16,200}");
        TokenList tokens = TokenList.read(made.resolve("tokens"));
        assertThat(tokens.entries()).extracting(TokenEntry::roleNames).containsExactly("admin", "viewer");
        for (TokenEntry entry : tokens.entries()) {
            String token = Files.readString(made.resolve(entry.roleNames() + "-token"));
            assertThat(TokenSecret.isOne(token)).isTrue();
            assertThat(TokenSecret.hash(token)).isEqualTo(entry.hash());
        }

        // and: what is there stays
        Map<String, String> before = contents(made);
        Files.delete(made.resolve("sql-password"));
        run(script);
        Map<String, String> after = contents(made);
        assertThat(after.get("sql-password")).isNotEqualTo(before.get("sql-password"));
        assertThat(after).containsOnlyKeys(names);
        before.remove("sql-password");
        assertThat(after).containsAllEntriesOf(before);
    }

    @Test
    void shouldMakeOneCertificateForAllInstances() throws Exception {
        // given
        assumeTrue(Programs.isInstalled("openssl"), "openssl is not installed");
        Path script = Files.copy(DOCKER.resolve("secrets.sh"), folder.resolve("secrets.sh"));
        Files.copy(DOCKER.resolve(".env"), folder.resolve(".env"));
        Path made = Files.createDirectory(folder.resolve("secrets")).resolve("ebb.internal");

        // when
        run(script, "--tls");

        // then it is for the name of any container on the network of the instances, and for clients from outside
        Path authority = made.resolve("ca.crt");
        Path chain = made.resolve("tls.crt");
        X509Certificate certificate = certificate(chain);
        String network = TLS.at("/networks/peers/name").asText().replace(PROJECT, "ebb");
        assertThat(made.getFileName()).hasToString(network);
        assertThat(certificate.getSubjectAlternativeNames().stream().map(name -> String.valueOf(name.get(1))))
                .containsExactlyInAnyOrder("*." + network, "ebb", "localhost", "127.0.0.1");
        certificate.verify(certificate(authority).getPublicKey());
        assertThat(Pem.trusting(authority)).isNotNull();
        assertThat(Pem.identity(chain, made.resolve("tls.key"))).isNotNull();

        // and the key that could sign others is not where containers look
        assertThat(contents(made)).containsOnlyKeys("ca.crt", "tls.crt", "tls.key");
        assertThat(certificate.getBasicConstraints()).isNegative();
        assertThat(made.resolveSibling("ebb.internal-ca.key")).isRegularFile();

        // when it is made again, then what is there stays, and what is missing comes from the same authority
        Map<String, String> before = contents(made);
        run(script, "--tls");
        assertThat(contents(made)).isEqualTo(before);
        Files.delete(chain);
        run(script, "--tls");
        assertThat(contents(made)).containsEntry("ca.crt", before.get("ca.crt"));
        certificate(chain).verify(certificate(authority).getPublicKey());
        assertThat(Pem.identity(chain, made.resolve("tls.key"))).isNotNull();
    }

    @Test
    void shouldSpeakTlsWithTheSecondFile() {
        JsonNode service = TLS.at("/services/ebb");
        Map<String, String> environment = environment(services().get("ebb"));
        environment.putAll(environment(service));
        environment.replaceAll((name, value) -> value.replace(PROJECT, "ebb"));

        EbbConfig config = DeployedSettings.load(null, environment, folder);

        assertThat(environment).containsEntry("EBB_API_INSECURE", "false");
        assertThat(config.apiUrl()).isEqualTo("https://c0ffee.ebb.internal:8480");
        String mounted = service.at("/volumes/0/target").asText();
        assertThat(List.of("EBB_API_TLS_CERTIFICATE", "EBB_API_TLS_KEY", "EBB_API_PEER_CA_FILE", "EBB_CA_FILE"))
                .allSatisfy(name -> assertThat(environment.get(name)).startsWith(mounted + "/"));
        assertThat(service.at("/volumes/0/source").asText().replace(PROJECT, "ebb"))
                .isEqualTo("./secrets/ebb.internal");
    }

    @Test
    void shouldWatchInstancesOverTlsAsItDoesWithout() {
        ObjectNode overTls = (ObjectNode) YamlFiles.documents(DOCKER.resolve("prometheus/prometheus-tls.yml"))
                .get(0);
        ObjectNode scrape = (ObjectNode) overTls.at("/scrape_configs/0");
        JsonNode prometheus = TLS.at("/services/prometheus");

        assertThat(scrape.remove("scheme").asText()).isEqualTo("https");
        assertThat(scrape.remove("tls_config").path("ca_file")).isEqualTo(prometheus.at("/volumes/0/target"));
        assertThat(overTls)
                .isEqualTo(YamlFiles.documents(DOCKER.resolve("prometheus/prometheus.yml"))
                        .get(0));
        assertThat(mounted("prometheus", prometheus.at("/command/0").asText().replace("--config.file=", "")))
                .isRegularFile();
    }

    @Test
    void shouldMountAlertsAndDashboardWhereTheyAreLookedFor() {
        JsonNode prometheus =
                YamlFiles.documents(DOCKER.resolve("prometheus/prometheus.yml")).get(0);
        JsonNode scrape = prometheus.at("/scrape_configs/0");
        JsonNode provider = YamlFiles.documents(DOCKER.resolve("grafana/dashboards/ebb.yaml"))
                .get(0)
                .at("/providers/0");

        assertThat(mounted("prometheus", prometheus.at("/rule_files/0").asText()))
                .isRegularFile();
        // The alerts name the job.
        assertThat(scrape.path("job_name").asText()).isEqualTo("ebb");
        assertThat(scrape.at("/authorization/credentials_file").asText()).isEqualTo(SECRETS + "viewer-token");
        assertThat(mounted("grafana", provider.at("/options/path").asText()).resolve("ebb-dashboard.json"))
                .isRegularFile();
    }

    @Test
    void shouldPublishOnLoopbackAlone() {
        assertThat(services().values().stream().flatMap(service -> YamlFiles.elements(service.path("ports"))))
                .isNotEmpty()
                .allSatisfy(port -> assertThat(port.asText()).startsWith("127.0.0.1:"));
    }

    @Test
    void shouldTakeEveryRightThatAnInstanceDoesNotNeed() {
        for (String name : OURS) {
            JsonNode service = services().get(name);
            assertThat(service.path("read_only").asBoolean()).as(name).isTrue();
            assertThat(service.path("cap_drop").path(0).asText()).as(name).isEqualTo("ALL");
            assertThat(service.path("security_opt").path(0).asText()).as(name).isEqualTo("no-new-privileges:true");
            assertThat(service.path("mem_limit").asText()).as(name).isNotEmpty();
        }
        assertThat(YamlFiles.text(DOCKER.resolve("Dockerfile"))).contains("USER 10001:10001");
        services().forEach((name, service) -> environment(service)
                .forEach((key, value) -> assertThat(key.endsWith("PASSWORD") && !value.startsWith("/"))
                        .as("%s has the password itself in %s", name, key)
                        .isFalse()));
    }

    @Test
    void shouldStartTheProgramThatThereIs() {
        assertThat(YamlFiles.text(DOCKER.resolve("image/ebb"))).contains(Main.class.getName());
    }

    /** The file of this project that a service sees under that path. */
    private static Path mounted(String service, String path) {
        return YamlFiles.elements(services().get(service).path("volumes"))
                .map(volume -> volume.asText().split(":", -1))
                .filter(volume -> path.equals(volume[1]) || path.startsWith(volume[1] + "/"))
                .map(volume -> DOCKER.resolve(volume[0] + path.substring(volume[1].length())))
                .findFirst()
                .orElseThrow();
    }

    private static X509Certificate certificate(Path file) throws Exception {
        try (var in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static void run(Path script, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", script.toString()));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().remove("COMPOSE_PROJECT_NAME");
        Process process = builder.start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                contents.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return contents;
    }

    private static Set<String> secrets(JsonNode service) {
        return YamlFiles.elements(service.path("secrets")).map(JsonNode::asText).collect(Collectors.toSet());
    }

    private static Set<String> fieldNames(JsonNode node) {
        Set<String> names = new TreeSet<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static void requireAll(List<String> undeclared, String service, JsonNode used, JsonNode declared) {
        YamlFiles.elements(used)
                .map(JsonNode::asText)
                .filter(name -> !declared.has(name))
                .forEach(name -> undeclared.add(service + " uses " + name));
    }

    private static Map<String, JsonNode> services() {
        Map<String, JsonNode> services = new TreeMap<>();
        COMPOSE.path("services").properties().forEach(entry -> services.put(entry.getKey(), entry.getValue()));
        return services;
    }

    private static Map<String, String> environment(JsonNode service) {
        Map<String, String> environment = new TreeMap<>();
        service.path("environment")
                .properties()
                .forEach(entry ->
                        environment.put(entry.getKey(), entry.getValue().asText()));
        return environment;
    }
}
