package dev.ebb.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.it.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The packages in target/release, installed and tried as a stranger does, beside a Kafka, a Connect worker and a PostgreSQL that run:
 * {@code mvn -Prelease,packages verify}.
 */
@Tag("R-7")
@TestMethodOrder(MethodOrderer.MethodName.class)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class PackagesSuite {

    private static final Logger LOG = LoggerFactory.getLogger(PackagesSuite.class);
    private static final Path HOME = Path.of(System.getProperty("ebb.home", "")).toAbsolutePath();
    private static final Path RELEASE = HOME.resolve("target/release");

    /** Time within which a stranger sees the first delete. */
    private static final Duration FIRST_DELETE = Duration.ofMinutes(3);

    @TempDir
    private static Path folder;

    private static DevStack stack;

    @BeforeAll
    static void start() {
        assumeTrue(
                Files.isDirectory(RELEASE),
                "no packages in target/release: mvn -Prelease -DskipTests package makes them");
        stack = TestStack.builder(folder.resolve("stack"))
                .without(Service.REGISTRY)
                .withApp(false)
                .start();
    }

    @AfterAll
    static void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void shouldAgreeWithTheirChecksums() throws Exception {
        assertThat(new Shell(RELEASE, Map.of()).must("sha256sum --check --strict SHA256SUMS"))
                .contains(tarball() + ": OK", deb() + ": OK", "ebb-engine")
                .doesNotContain("FAILED");
    }

    /** A scanner looks up what the SBOM names: each jar of the tarball, and what the client of the registry has inside. */
    @Test
    void shouldHaveAnSbomOfEveryJar() throws Exception {
        // given
        JsonNode components = new ObjectMapper()
                .readTree(RELEASE.resolve("ebb-" + version() + "-sbom.json").toFile())
                .path("components");
        Map<String, JsonNode> named = new TreeMap<>();
        components.forEach(one ->
                named.put(one.path("name").asText() + "-" + one.path("version").asText() + ".jar", one));

        // when
        List<String> jars = new Shell(RELEASE, Map.of())
                .must("tar tzf " + tarball())
                .lines()
                .filter(path -> path.contains("/lib/") && path.endsWith(".jar"))
                .map(path -> path.substring(path.lastIndexOf('/') + 1))
                .filter(name -> !name.startsWith("ebb"))
                .toList();

        // then
        assertThat(jars).hasSizeGreaterThan(20);
        assertThat(named.keySet()).containsAll(jars);
        JsonNode registry = named.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("flink-sql-avro-confluent-registry-"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
        assertThat(registry.path("components").findValuesAsText("name"))
                .contains("kafka-schema-registry-client", "guava", "avro", "snakeyaml");
        assertThat(registry.path("components").findValuesAsText("purl")).allMatch(purl -> purl.contains("@"));
    }

    /** No package has the services of {@code ebb dev}, and their libraries have faults all the same. */
    @Test
    @Tag("P-4")
    void shouldHaveAnSbomOfTheServicesOfDevelopment() throws Exception {
        JsonNode components = new ObjectMapper()
                .readTree(RELEASE.resolve("ebb-dev-" + version() + "-sbom.json").toFile())
                .path("components");

        assertThat(components.findValuesAsText("purl"))
                .anyMatch(purl -> purl.startsWith("pkg:maven/org.apache.kafka/kafka_2.13@"))
                .anyMatch(purl -> purl.startsWith("pkg:maven/org.eclipse.jetty/jetty-server@"))
                .anyMatch(purl -> purl.startsWith("pkg:maven/io.debezium/debezium-connector-jdbc@"))
                .anyMatch(purl -> purl.startsWith("pkg:maven/io.netty/netty-handler@"))
                .anyMatch(purl -> purl.startsWith("pkg:maven/io.quarkus/quarkus-core@"));
        assertThat(components.findValuesAsText("name")).contains("connect-runtime");
    }

    /** Anybody can check that a package was made of these sources: made again, in another folder, it has the same bytes. */
    @Test
    void shouldBeTheSameBytesWhenMadeAgain() throws Exception {
        // given
        assumeTrue(Programs.isInstalled("mvn"), "Maven is not on the path, so nothing can be made again");
        assumeTrue(Files.exists(HOME.resolve(".git")), "no checkout, so it is not known which files are sources");
        Path copy = Files.createDirectory(folder.resolve("again"));
        Shell shell = new Shell(
                copy, Map.of("HOME", System.getProperty("user.home"), "JAVA_HOME", System.getProperty("java.home")));
        shell.must("git -C " + HOME + " ls-files -z --cached --others --exclude-standard --deduplicate >files"
                + " && tar -C " + HOME + " --null --ignore-failed-read -T files -c 2>/dev/null | tar x && rm files");

        // when
        shell.must(
                "mvn -B -q -Prelease -DskipTests -Djacoco.skip package >mvn.log 2>&1 || { tail -50 mvn.log; exit 1; }");

        // then
        assertThat(copy.resolve("target/release/SHA256SUMS")).hasSameTextualContentAs(RELEASE.resolve("SHA256SUMS"));
    }

    @Test
    void shouldSeeTheFirstDeleteSoonAfterUnpackingTheTarball() throws Exception {
        // given
        Path empty = Files.createDirectory(folder.resolve("stranger"));
        String api = "127.0.0.1:" + freePort();
        Shell shell = new Shell(
                empty,
                Map.of(
                        "JAVA_HOME", System.getProperty("java.home"),
                        "EBB_BOOTSTRAP_SERVERS", stack.endpoints().bootstrapServers(),
                        "EBB_SCHEMA_REGISTRY_URL", "",
                        "EBB_API_LISTEN", api,
                        "EBB_STATE_DIR", empty.resolve("state").toString(),
                        "EBB_SQL_URL", stack.endpoints().jdbcUrl(),
                        "EBB_SQL_USER", stack.endpoints().sqlUser(),
                        "EBB_SQL_PASSWORD_FILE",
                                stack.endpoints().sqlPasswordFile().toString(),
                        "EBB_CONNECT_URLS", stack.endpoints().connectUrl()));
        Instant begin = Instant.now();

        // when
        shell.must("tar xzf " + RELEASE.resolve(tarball()) + " --strip-components=1");
        assertThat(shell.must("bin/ebb topics create")).contains("ebb.events");
        Process instance = shell.start("exec bin/ebb run", empty.resolve("run.log"));
        try {
            shell.must("echo '{\"stream\":\"orders/1\",\"id\":\"o-1\"}' | bin/ebb produce -f -");
            Await.until(
                    "the event is there",
                    () -> shell.run("bin/ebb event list orders/1").text().contains("o-1") ? "" : "o-1");
            shell.must("bin/ebb policy set namespace:orders --max-age 1s --reason 'first try'");
            Await.until("the first delete", () -> {
                Shell.Outcome audit = shell.run("bin/ebb audit list --stream orders/1");
                return audit.text().contains("MAX_AGE") ? "" : audit.text();
            });
            Duration taken = Duration.between(begin, Instant.now());

            // then
            LOG.info("the first delete was seen {} s after unpacking", taken.toSeconds());
            assertThat(taken).isLessThan(FIRST_DELETE);
            assertThat(shell.run("bin/ebb event list orders/1").text()).contains("there is no stream 'orders/1'");
            Await.until("the mirror agrees", () -> {
                Shell.Outcome verify = shell.run("bin/ebb verify");
                return verify.exitCode() == 0 ? "" : verify.text();
            });
            assertThat(shell.must("bin/ebb --version")).contains("ebb " + version());
        } finally {
            instance.destroy();
            assertThat(instance.waitFor())
                    .as(Files.readString(empty.resolve("run.log")))
                    .isEqualTo(143);
        }
    }

    @Test
    void shouldBeAServiceOfACleanDebian() throws Exception {
        // given
        Shell shell = new Shell(folder, Map.of("DEBIAN_FRONTEND", "noninteractive"));
        Path debian = debian(shell);
        Path unit = debian.resolve("lib/systemd/system/ebb.service");
        String in = "chroot " + debian + " ";
        String asService = in + "setpriv --reuid ebb --regid ebb --init-groups env HOME=/var/lib/ebb"
                + " EBB_CONFIG=/etc/ebb/ebb.properties ";
        String api = "127.0.0.1:" + freePort();
        Files.copy(RELEASE.resolve(deb()), debian.resolve("srv/ebb.deb"));

        // when it is installed
        assertThat(shell.must(in + "dpkg -i /srv/ebb.deb")).contains("edit /etc/ebb/ebb.properties");

        // then it has what a package of Debian has
        assertThat(shell.must(in + "ebb --version")).contains("ebb " + version());
        assertThat(shell.must(in + "stat -c '%U:%G %a' /etc/ebb /etc/ebb/ebb.properties /var/lib/ebb"))
                .isEqualTo("root:ebb 750\nroot:ebb 640\nebb:ebb 750\n");
        assertThat(shell.must(in + "dpkg --verify ebb")).doesNotContain("5");
        assertThat(shell.must("zcat " + debian + "/usr/share/man/man1/ebb.1.gz"))
                .contains(".SS ebb policy set");
        assertThat(Files.size(debian.resolve("usr/share/bash-completion/completions/ebb")))
                .isPositive();
        if (Programs.isInstalled("systemd-analyze")) {
            // The Debian has no systemd, so units that it needs are missing.
            assertThat(shell.run("systemd-analyze verify --man=no --root=" + debian + " ebb.service")
                            .text())
                    .doesNotContain("Unknown", "Failed to parse", "not executable", "ignoring");
        }

        // when the administrator follows the words of the installation
        Files.writeString(
                debian.resolve("etc/ebb/ebb.properties"),
                "\nbootstrap.servers=" + stack.endpoints().bootstrapServers()
                        + "\nschema.registry.url=\ntopics.prefix=deb.\n" + "application.id=deb\napi.listen=" + api
                        + "\n",
                StandardOpenOption.APPEND);
        shell.must(in + "ebb topics create --config /etc/ebb/ebb.properties");
        String start = asService
                + Files.readAllLines(unit).stream()
                        .filter(line -> line.startsWith("ExecStart="))
                        .map(line -> line.substring("ExecStart=".length()))
                        .findFirst()
                        .orElseThrow();
        Process service = shell.start("exec " + start, folder.resolve("service-1.log"));
        String ebb = in + "env EBB_API_URL=http://" + api + " EBB_CONFIG=/etc/ebb/ebb.properties ebb ";
        shell.must("echo '{\"stream\":\"kept/1\",\"id\":\"k-1\"}' | " + ebb + "produce -f -");
        awaitEvent(shell, ebb, folder.resolve("service-1.log"));

        // then it stops by a signal, and an upgrade keeps settings and state
        stop(service);
        shell.must("dpkg-deb -R " + debian + "/srv/ebb.deb new");
        shell.must("sed -i 's/^Version: .*/&+later/' new/DEBIAN/control && dpkg-deb --root-owner-group -Znone -b new "
                + debian + "/srv/later.deb && rm -r new");
        shell.must(in + "dpkg -i /srv/later.deb");
        assertThat(shell.must(in + "dpkg-query -W -f '${Version}' ebb")).endsWith("+later");
        assertThat(Files.readString(debian.resolve("etc/ebb/ebb.properties"))).contains("topics.prefix=deb.");
        service = shell.start("exec " + start, folder.resolve("service-2.log"));
        awaitEvent(shell, ebb, folder.resolve("service-2.log"));
        stop(service);

        // when it is purged, then nothing but the user is left
        shell.must(in + "dpkg --purge ebb");
        for (String path :
                List.of("etc/ebb", "etc/default/ebb", "var/lib/ebb", "var/cache/ebb", "usr/share/ebb", "usr/bin/ebb")) {
            assertThat(debian.resolve(path)).as(path).doesNotExist();
        }
        assertThat(shell.must(in + "getent passwd ebb")).contains("ebb");
    }

    private static void awaitEvent(Shell shell, String ebb, Path log) throws Exception {
        Await.until("the event is there", () -> {
            Shell.Outcome list = shell.run(ebb + "event list kept/1");
            return list.text().contains("k-1") ? "" : list.text() + Files.readString(log);
        });
    }

    private static void stop(Process service) throws InterruptedException {
        service.destroy();
        assertThat(service.waitFor(75, TimeUnit.SECONDS)).as("stopped in time").isTrue();
        assertThat(service.exitValue()).isEqualTo(143);
    }

    /** Returns the folder of a Debian with a Java and nothing else. */
    private static Path debian(Shell shell) throws Exception {
        assumeTrue(Programs.isInstalled("dpkg-deb"), "dpkg is not installed, so no Debian can be made");
        assumeTrue(Programs.isInstalled("debootstrap"), "debootstrap is not installed, so no Debian can be made");
        assumeTrue(shell.must("id -u").strip().equals("0"), "not root, so no Debian can be made");
        String made = System.getProperty("packages.debian", "");
        Path debian = folder.resolve("debian");
        if (made.isEmpty()) {
            Shell.Outcome outcome = shell.run("debootstrap --variant=minbase"
                    + " --include=adduser,libstdc++6,openjdk-17-jre-headless bookworm " + debian);
            assumeTrue(outcome.exitCode() == 0, "debootstrap cannot make a Debian here:\n" + outcome.text());
        } else {
            shell.must("cp -a " + made + " " + debian);
        }
        // Java finds its own libraries there.
        Shell.Outcome mounted = shell.run("mount -t proc proc " + debian + "/proc");
        assumeTrue(mounted.exitCode() == 0, "/proc cannot be mounted here: " + mounted.text());
        return debian;
    }

    @AfterAll
    static void unmount() throws Exception {
        Path proc = folder.resolve("debian/proc");
        if (Files.exists(proc.resolve("self"))) {
            new Shell(folder, Map.of()).must("umount " + proc);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static String version() throws IOException {
        return tarball().replaceFirst("^ebb-", "").replaceFirst("\\.tar\\.gz$", "");
    }

    private static String tarball() throws IOException {
        return named("ebb-.*(?<!-image)\\.tar\\.gz");
    }

    private static String deb() throws IOException {
        return named("ebb_.*_all\\.deb");
    }

    private static String named(String pattern) throws IOException {
        try (Stream<Path> files = Files.list(RELEASE)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(pattern))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no " + pattern + " in " + RELEASE));
        }
    }
}
