package dev.ebb.devstack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.devstack.process.PidFile;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.Signals;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.devstack.process.StackProcess;
import dev.ebb.stacks.DevStackException;
import dev.ebb.stacks.Endpoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real services, each a process of its own. */
@Timeout(240)
final class DevStackIT {
    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");
    private static final Logger LOG = LoggerFactory.getLogger(DevStackIT.class);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final TopicPartition TOPIC = new TopicPartition("words", 0);

    @TempDir
    private Path dataDir;

    @TempDir
    private Path outputs;

    private final RecordingObserver seen = new RecordingObserver();
    private final List<ProcessHandle> started = new ArrayList<>();

    @AfterEach
    void shouldLeaveNothingRunning() {
        var left = started.stream().filter(ProcessHandle::isAlive).toList();
        left.forEach(ProcessHandle::destroyForcibly);
        assertThat(left).isEmpty();
    }

    @Test
    void shouldKeepItsDataOverRestartsAndKills() throws Exception {
        int schemaId;
        try (var stack = start()) {
            // given
            schemaId = register(stack);
            createTopicAndTable(stack);
            produce(stack, "one");
            assertThat(get(stack.endpoints().connectUrl() + "/connector-plugins"))
                    .contains("io.debezium.connector.jdbc.JdbcSinkConnector");
            assertThat(Endpoints.settingsFile(dataDir)).contains(stack.settingsFile());
        }
        assertThat(started).hasSize(4).noneMatch(ProcessHandle::isAlive);
        assertThat(dataDir.resolve("ebb.properties")).doesNotExist();

        try (var taken = new ServerSocket(usualOrAny(), 1, InetAddress.getLoopbackAddress());
                // when
                var stack = start()) {
            // then
            assertThat(stack.endpoints().bootstrapServers()).isNotEqualTo("127.0.0.1:9092");
            assertThat(register(stack)).isEqualTo(schemaId);
            assertThat(words(stack)).containsExactly("one");
            assertThat(tableRows(stack)).isEqualTo(1);

            // when
            List.of(stack.broker(), stack.registry(), stack.postgres()).forEach(StackProcess::kill);
            assertThat(stack.broker().isRunning()).isFalse();
            List.of(stack.broker(), stack.registry(), stack.postgres()).forEach(StackProcess::start);
            remember(stack);
            produce(stack, "two");

            // then; the broker answers a commit before readers see it
            Await.until("the second word is seen", SOON, () -> words(stack).size() > 1);
            assertThat(words(stack)).containsExactly("one", "two");
            assertThat(register(stack)).isEqualTo(schemaId);
            assertThat(tableRows(stack)).isEqualTo(1);

            // when
            stack.connect().restart();
            stack.postgres().stop();
            assertThatThrownBy(() -> tableRows(stack)).hasMessageContaining("refused");
            stack.postgres().start();
            remember(stack);

            // then
            assertThat(tableRows(stack)).isEqualTo(1);
            assertThatThrownBy(this::start)
                    .isInstanceOf(DevStackException.class)
                    .hasMessageContaining("in use by process");
        }
    }

    @Test
    void shouldOutliveTheTerminalsInterruptOnlyAsLongAsItTakesToStopInOrder() throws Exception {
        // given
        var holder = startHolder();
        var services = services();

        // when
        Signals.send("INT", -holder.pid());

        // then
        Await.until("the stack has ended", SOON, () -> !holder.isAlive());
        assertThat(holder.exitValue()).isEqualTo(130);
        assertThat(services).hasSize(3).noneMatch(ProcessHandle::isAlive);
        assertThat(output()).containsSubsequence("app stopped", "postgres stopped", "broker stopped");
        assertThat(output()).doesNotContain("ended with exit code");
        assertThat(dataDir.resolve("ebb.properties")).doesNotExist();
    }

    @Test
    void shouldLeaveNoOrphansWhenItIsKilled() throws Exception {
        // given
        var holder = startHolder();
        var services = services();

        // when
        holder.destroyForcibly();

        // then
        Await.until("all services have ended", SOON, () -> services.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(Endpoints.settingsFile(dataDir)).isEmpty();
    }

    @Test
    void shouldKeepItsDataToItself() throws Exception {
        // given
        Files.createFile(dataDir.resolve("lock"));
        try (var stack = startPostgres()) {
            // when, then
            assertThat(modes()).allSatisfy((path, mode) -> assertThat(mode).endsWith("------"));
            assertThat(modes()).hasSizeGreaterThan(5);
            assertThat(mode(dataDir)).isEqualTo("rwx------");
        }
    }

    /** A superuser of the database runs commands as the user who started it. */
    @Test
    void shouldAskEveryoneForThePasswordOfTheDatabase() throws Exception {
        try (var stack = startPostgres()) {
            assertThat(stack.endpoints().sqlPassword()).hasSizeGreaterThan(30);
            assertThat(canConnect(stack)).isTrue();
            assertThat(List.of("postgres", "ebb"))
                    .allSatisfy(user -> assertRefused(stack, user, ""))
                    .allSatisfy(user -> assertRefused(stack, user, user));
            assertRefused(stack, "postgres", stack.endpoints().sqlPassword());
            assertThat(stack.postgres().passfile())
                    .content()
                    .contains(":ebb:" + stack.endpoints().sqlPassword());
        }
    }

    @Test
    void shouldCloseADatabaseThatTrustedEverybody() throws Exception {
        // given
        try (var stack = startPostgres()) {
            assertThat(canConnect(stack)).isTrue();
        }
        Files.writeString(dataDir.resolve("postgres/cluster/pg_hba.conf"), "host all all 127.0.0.1/32 trust\n");
        FileUtils.deleteDirectory(dataDir.resolve("secrets").toFile());

        // when
        try (var stack = startPostgres()) {
            // then
            assertThat(canConnect(stack)).isTrue();
            assertRefused(stack, "postgres", "");
            assertRefused(stack, "ebb", "ebb");
        }
    }

    /** A page may be given a name that points here, and browsers send what a page asks for. */
    @Test
    void shouldRefusePagesOfOthersAtTheWorkerAndTheRegistry() throws Exception {
        try (var stack = start()) {
            for (String url : List.of(
                    stack.endpoints().connectUrl() + "/connectors",
                    stack.endpoints().connectUrl() + "/admin/loggers",
                    stack.endpoints().registryUrl() + "/subjects",
                    stack.endpoints().registryUrl().replaceFirst("/apis/.*", "/health/live"))) {
                var at = URI.create(url);
                String own = at.getAuthority();
                assertThat(status(at, "GET", "Host: " + own)).isEqualTo(200);
                assertThat(status(at, "GET", "Host: localhost:" + at.getPort())).isEqualTo(200);
                assertThat(status(at, "GET", "Host: " + own, "Origin: http://" + own))
                        .isEqualTo(200);
                assertThat(status(at, "GET", "Host: evil.example:" + at.getPort()))
                        .isEqualTo(403);
                assertThat(status(at, "GET", "Host: 127.0.0.1.evil.example")).isEqualTo(403);
                assertThat(status(at, "GET", "Host: " + own, "Origin: http://evil.example"))
                        .isEqualTo(403);
                assertThat(status(at, "GET", "Host: " + own, "Origin: null")).isEqualTo(403);
            }
            var plugins = URI.create(stack.endpoints().connectUrl() + "/connector-plugins/x/config/validate");
            String own = plugins.getAuthority();
            assertThat(status(plugins, "PUT", "Host: " + own, "Sec-Fetch-Site: cross-site"))
                    .isEqualTo(403);
            assertThat(status(plugins, "PUT", "Host: " + own)).isNotEqualTo(403);
        }
    }

    @Test
    void shouldShareOutPortsWithAStackThatStartsAtTheSameMoment() throws Exception {
        var threads = Executors.newFixedThreadPool(2);
        try {
            for (int pair = 0; pair < 3; pair++) {
                // when
                var one = dataDir.resolve("one-" + pair);
                var other = dataDir.resolve("other-" + pair);
                var starting = threads.<DevStack>invokeAll(List.of(() -> startSmall(one), () -> startSmall(other)));

                // then
                try (var first = starting.get(0).get();
                        var second = starting.get(1).get()) {
                    assertThat(canConnect(first)).isTrue();
                    assertThat(canConnect(second)).isTrue();
                    assertThat(first.endpoints().jdbcUrl())
                            .isNotEqualTo(second.endpoints().jdbcUrl());
                    assertThat(first.endpoints().apiUrl())
                            .isNotEqualTo(second.endpoints().apiUrl());
                }
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void shouldBeginAgainWithOtherPortsWhenOneIsTakenBeforeTheServiceListens() throws Exception {
        // given
        var taken = new AtomicReference<ServerSocket>();
        var thief = StackObserver.lines(line -> {
            seen.accept(line);
            if (line.equals("starting postgres") && taken.get() == null) {
                taken.set(listenOn(5432 + TestStack.portOffset()));
            }
        });
        try (var stack = TestStack.builder(dataDir)
                .without(Service.BROKER, Service.REGISTRY, Service.CONNECT, Service.APP)
                .observer(thief)
                .start()) {
            // then
            assertThat(canConnect(stack)).isTrue();
            assertThat(stack.endpoints().jdbcUrl()).doesNotContain(":" + (5432 + TestStack.portOffset()) + "/");
            assertThat(seen.lines()).contains("port of postgres was taken meanwhile, trying another");
        } finally {
            taken.get().close();
        }
    }

    private static ServerSocket listenOn(int port) {
        try {
            return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DevStack startSmall(Path folder) {
        return TestStack.onUsualPorts(folder)
                .without(Service.BROKER, Service.REGISTRY, Service.CONNECT)
                .appProgram(AppStub.program())
                .observer(seen.observer())
                .start();
    }

    private DevStack startPostgres() {
        return TestStack.builder(dataDir)
                .without(Service.BROKER, Service.REGISTRY, Service.CONNECT, Service.APP)
                .observer(seen.observer())
                .start();
    }

    /** Directly in the folder; no other user comes to the folders below. */
    private Map<Path, String> modes() throws IOException {
        try (Stream<Path> content = Files.list(dataDir)) {
            return content.collect(Collectors.toMap(path -> path, DevStackIT::mode));
        }
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean canConnect(DevStack stack) throws SQLException {
        try (var connection = connect(stack)) {
            return connection.isValid(5);
        }
    }

    private static void assertRefused(DevStack stack, String user, String password) {
        assertThatThrownBy(() -> DriverManager.getConnection(stack.endpoints().jdbcUrl(), user, password))
                .isInstanceOfSatisfying(SQLException.class, refused -> assertThat(refused.getSQLState())
                        .isIn("28P01", "28000", "08004"));
    }

    /** By hand: Java's client does not let the header Host be set. */
    private static int status(URI at, String method, String... headers) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), at.getPort())) {
            socket.setSoTimeout(10_000);
            var request =
                    "%s %s HTTP/1.1\r\n%s\r\nContent-Type: application/json\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                            .formatted(method, at.getPath(), String.join("\r\n", headers));
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            var answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
            return Integer.parseInt(answer.split(" ", 3)[1]);
        }
    }

    private DevStack start() {
        long begin = System.nanoTime();
        var stack = TestStack.onUsualPorts(dataDir)
                .withApp(false)
                .observer(seen.observer())
                .start();
        LOG.atInfo()
                .addKeyValue("ms", (System.nanoTime() - begin) / 1_000_000)
                .addKeyValue("endpoints", stack.endpoints())
                .log("Stack is up");
        remember(stack);
        return stack;
    }

    private void remember(DevStack stack) {
        Stream.of(stack.broker(), stack.registry(), stack.connect(), stack.postgres())
                .map(service -> ProcessHandle.of(service.pid().orElseThrow()))
                .flatMap(Optional::stream)
                .forEach(started::add);
    }

    private Process startHolder() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classpath = System.getProperty("java.class.path");
        var home = "-Debb.home=" + System.getProperty("ebb.home");
        // A process in the background of a script ignores the interrupt, and so would its children.
        var command = new ArrayList<>(IS_LINUX ? List.of("env", "--default-signal=INT") : List.<String>of());
        command.addAll(List.of(
                java,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                home,
                "-cp",
                classpath,
                StackHolder.class.getName(),
                dataDir.toString()));
        var holder = new ProcessBuilder(Signals.shielded(command))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(outputs.resolve("holder.out").toFile()))
                .start();
        started.add(holder.toHandle());
        Await.until("the stack is up", Duration.ofMinutes(2), () -> {
            assertThat(holder.isAlive()).as(output()).isTrue();
            return output().contains("app ready");
        });
        return holder;
    }

    private List<ProcessHandle> services() throws IOException {
        var services = PidFile.in(dataDir.resolve("run")).stream()
                .flatMap(file -> survivor(file).stream())
                .toList();
        started.addAll(services);
        return services;
    }

    private static Optional<ProcessHandle> survivor(PidFile file) {
        try {
            return file.survivor().map(PidFile.Survivor::process);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String output() {
        try {
            return Files.readString(outputs.resolve("holder.out"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The broker's usual port if it is free, so that the stack finds it taken. */
    private static int usualOrAny() {
        try (var socket = new ServerSocket(9092, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException taken) {
            return 0;
        }
    }

    private static void createTopicAndTable(DevStack stack) throws Exception {
        try (var admin =
                Admin.create(Map.of("bootstrap.servers", stack.endpoints().bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC.topic(), 1, (short) 1)))
                    .all()
                    .get();
        }
        try (var connection = connect(stack);
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE words (word text)");
            statement.execute("INSERT INTO words VALUES ('one')");
        }
    }

    private static Connection connect(DevStack stack) throws SQLException {
        var at = stack.endpoints();
        return DriverManager.getConnection(at.jdbcUrl(), at.sqlUser(), at.sqlPassword());
    }

    private static int tableRows(DevStack stack) throws Exception {
        try (var connection = connect(stack);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM words")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static void produce(DevStack stack, String word) throws Exception {
        var settings = Map.<String, Object>of(
                "bootstrap.servers", stack.endpoints().bootstrapServers(), "transactional.id", "test");
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(TOPIC.topic(), word)).get();
            producer.commitTransaction();
        }
    }

    private static List<String> words(DevStack stack) {
        var settings = Map.<String, Object>of(
                "bootstrap.servers", stack.endpoints().bootstrapServers(), "isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(TOPIC));
            consumer.seekToBeginning(List.of(TOPIC));
            long end = consumer.endOffsets(List.of(TOPIC)).get(TOPIC);
            var words = new ArrayList<String>();
            while (consumer.position(TOPIC) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(entry -> words.add(entry.value()));
            }
            return words;
        }
    }

    private static int register(DevStack stack) throws Exception {
        var url = stack.endpoints().registryUrl() + "/subjects/word/versions";
        var request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"schema\": \"{\\\"type\\\": \\\"string\\\"}\"}", UTF_8))
                .build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return Integer.parseInt(answer.body().replaceAll("\\D", ""));
    }

    private static String get(String url) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }
}
