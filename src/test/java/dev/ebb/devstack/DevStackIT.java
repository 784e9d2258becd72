package dev.ebb.devstack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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

            // then
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

    private DevStack start() {
        long begin = System.nanoTime();
        var stack = DevStack.builder(dataDir)
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
        // Who runs in the background of a script ignores the interrupt, and so would what it starts.
        var command = new ArrayList<>(IS_LINUX ? List.of("env", "--default-signal=INT") : List.<String>of());
        command.addAll(List.of(java, home, "-cp", classpath, StackHolder.class.getName(), dataDir.toString()));
        var holder = new ProcessBuilder(Signals.shielded(command))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(dataDir.resolve("holder.out").toFile()))
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
            return Files.readString(dataDir.resolve("holder.out"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The broker's usual port if nobody has it, so that the stack finds it taken. */
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
        try (var connection = DriverManager.getConnection(stack.endpoints().jdbcUrl(), "ebb", "ebb");
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE words (word text)");
            statement.execute("INSERT INTO words VALUES ('one')");
        }
    }

    private static int tableRows(DevStack stack) throws Exception {
        try (var connection = DriverManager.getConnection(stack.endpoints().jdbcUrl(), "ebb", "ebb");
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
