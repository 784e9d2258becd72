package dev.ebb.sources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestStack;
import dev.ebb.faults.Instance;
import dev.ebb.faults.Rest;
import dev.ebb.it.Await;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.serde.schemas.ConfluentSchemaRegistry;
import dev.ebb.stacks.Endpoints;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Producers of another application write into three tables, in JSON, Avro and through a converter, some of it hostile,
 * while Ebb deletes in these very topics and everything is killed and paused in turn; a JDBC sink of theirs keeps a table.
 * Settings, as system properties: {@code sources.minutes} (30), {@code sources.records} of each topic (500,000),
 * {@code sources.rows} of each topic (5,000), {@code sources.quiet} (6), the minutes in which all is caught up with at the
 * end, and {@code sources.seed}.
 */
@Tag("F-7")
@Tag("F-12")
class SourceSuite {

    private static final int MINUTES = Integer.getInteger("sources.minutes", 30);
    private static final long RECORDS = Long.getLong("sources.records", 500_000);
    private static final int ROWS = Integer.getInteger("sources.rows", 5_000);
    private static final long SEED = Long.getLong("sources.seed", System.currentTimeMillis() % 1_000_000);
    private static final int PARTITIONS = 3;
    private static final int PRODUCERS = 2;
    private static final int FIRST_PORT = 8490;
    private static final Duration QUIET = Duration.ofMinutes(Integer.getInteger("sources.quiet", 6));
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(20);
    private static final String POLICY =
            "{\"maxAge\":\"30d\",\"anchor\":\"occurred\",\"mode\":\"enforce\",\"undo\":\"none\",\"confirmed\":true}";

    private final Random random = new Random(SEED);
    private final List<Instance> instances = new ArrayList<>();
    private final List<RowLoad> loads = new ArrayList<>();
    private final List<TopicHistory> histories = new ArrayList<>();
    private DevStack stack;
    private EbbConfig config;

    private enum Accident {
        KILL_INSTANCE,
        KILL_BROKER,
        PAUSE_INSTANCE,
        KILL_CONNECT,
        RESTART_INSTANCE,
        PAUSE_SOURCE,
        RESTART_BROKER
    }

    @AfterEach
    void close() throws Exception {
        loads.forEach(RowLoad::close);
        for (Instance instance : instances) {
            instance.kill();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void shouldKeepTheTablesOfAnotherApplicationWhateverIsKilled() throws Exception {
        // given
        System.out.printf("sources: -Dsources.seed=%d, %d minutes, %,d records a topic%n", SEED, MINUTES, RECORDS);
        begin();

        // when
        AtomicLong versions = new AtomicLong();
        for (int i = 0; i < PRODUCERS; i++) {
            loads.add(new RowLoad(
                    stack.endpoints().bootstrapServers(),
                    SEED + i,
                    ROWS,
                    versions,
                    RECORDS / PRODUCERS,
                    Duration.ofMinutes(MINUTES)));
        }
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
        for (int i = 0; System.nanoTime() - end < 0; i++) {
            Accident accident = Accident.values()[i % Accident.values().length];
            System.out.println("sources: " + accident);
            happen(accident);
            TimeUnit.MILLISECONDS.sleep(random.nextLong(LONGEST_PAUSE.toMillis()));
        }
        for (RowLoad load : loads) {
            load.await();
        }

        // then
        try (Consumer<byte[], byte[]> reader = new KafkaClients(config).reader()) {
            Await.until("each row is its newest version, or gone", QUIET, () -> {
                histories.forEach(history -> history.readOn(reader));
                return missing();
            });
            TimeUnit.SECONDS.sleep(10);
            histories.forEach(history -> history.readOn(reader));
            SourceCommits commits = SourceCommits.read(reader);
            assertThat(histories).allSatisfy(history -> assertThat(history.goneTooLong(commits))
                    .as("gone for longer than two commits")
                    .isEmpty());
        }
        histories.forEach(history -> System.out.println("sources: " + history));
        assertThat(missing()).isEmpty();
        TopicHistory changes = histories.get(RowFormat.CHANGE.ordinal());
        Await.until("the table is that of the topic", QUIET, () -> {
            Set<String> table = table();
            Set<String> wanted = idsOf(changes.readable());
            return table.equals(wanted) ? "" : difference(table, wanted) + " of " + wanted.size();
        });
    }

    private String missing() {
        List<String> missing = histories.stream()
                .flatMap(history -> history.missing().stream())
                .toList();
        return missing.isEmpty() ? "" : missing.size() + ": " + String.join("\n", missing);
    }

    private void begin() throws Exception {
        Path folder = Path.of(
                        "target",
                        "sources",
                        Long.toString(ProcessHandle.current().pid()))
                .toAbsolutePath();
        Files.createDirectories(folder);
        stack = TestStack.builder(folder)
                .withApp(false)
                .setting("topics.partitions", Integer.toString(PARTITIONS))
                .setting("kafka.session.timeout.ms", "6000")
                .setting("kafka.heartbeat.interval.ms", "1500")
                .setting("sources.plugin.path", plugins().toString())
                .start();
        config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of()));
        new KafkaSession(config).topics(TopicAdmin::create);
        try (Admin admin = new KafkaClients(config).admin()) {
            for (RowFormat format : RowFormat.values()) {
                NewTopic topic = new NewTopic(format.topic(), PARTITIONS, (short) 1)
                        .configs(Map.of("cleanup.policy", "compact", "message.timestamp.type", "LogAppendTime"));
                admin.createTopics(List.of(topic)).all().get();
                histories.add(new TopicHistory(format));
            }
        }
        try (ConfluentSchemaRegistry registry = ConfluentSchemaRegistry.of(AvroSettings.of(config.avroProperties()))) {
            for (RowFormat format : RowFormat.values()) {
                format.prepare(registry);
            }
        }
        for (int i = 0; i < 2; i++) {
            instances.add(new Instance(
                    "ebb-" + (i + 1), folder, stack.settingsFile(), FIRST_PORT + TestStack.portOffset() + i));
            instances.get(i).heap("384m").start();
        }
        startSink();
        for (RowFormat format : RowFormat.values()) {
            apply(format);
        }
    }

    private static Path plugins() {
        return Path.of(System.getProperty("ebb.home", ""), "target", "ebb", "connect", "plugins")
                .toAbsolutePath();
    }

    private void apply(RowFormat format) throws Exception {
        URI url = instances.get(0).url();
        String held = "stream:" + format.namespace() + "/" + RowLoad.HELD;
        Rest.Answer hold = Rest.send(
                "PUT",
                url,
                "/v1/holds/" + format.namespace() + "?anyway=true",
                "{\"covers\": \"" + held + "\", \"reason\": \"r\"}");
        assertThat(hold.status()).as(hold.body().toString()).isEqualTo(200);
        Rest.Answer policy = Rest.send("PUT", url, "/v1/policies/namespace:" + format.namespace(), POLICY);
        assertThat(policy.status()).as(policy.body().toString()).isEqualTo(200);
        Rest.Answer source =
                Rest.send("POST", url, "/v1/policies:apply?reason=r", "{\"sources\": [" + format.source() + "]}");
        assertThat(source.status()).as(source.body().toString()).isEqualTo(200);
    }

    /** The sink of the other application, which knows nothing of Ebb. */
    private void startSink() throws Exception {
        Endpoints at = stack.endpoints();
        Map<String, String> settings = Map.ofEntries(
                Map.entry("connector.class", "io.debezium.connector.jdbc.JdbcSinkConnector"),
                Map.entry("topics", RowFormat.CHANGE.topic()),
                Map.entry("connection.url", at.jdbcUrl()),
                Map.entry("connection.username", at.sqlUser()),
                Map.entry("connection.password", at.sqlPassword()),
                Map.entry("collection.name.format", "shop_rows"),
                Map.entry("insert.mode", "upsert"),
                Map.entry("delete.enabled", "true"),
                Map.entry("primary.key.mode", "record_key"),
                Map.entry("schema.evolution", "basic"),
                Map.entry("errors.tolerance", "all"),
                Map.entry("connection.restart.on.errors", "true"),
                Map.entry("consumer.override.isolation.level", "read_committed"),
                Map.entry("key.converter", "org.apache.kafka.connect.json.JsonConverter"),
                Map.entry("value.converter", "org.apache.kafka.connect.json.JsonConverter"));
        Await.until("the worker takes the sink", () -> {
            Rest.Answer made = Rest.send(
                    "PUT",
                    URI.create(stack.connect().url()),
                    "/connectors/shop-rows/config",
                    new ObjectMapper().writeValueAsString(settings));
            return made.status() < 300 ? "" : made.toString();
        });
    }

    private Connection sql() throws SQLException {
        Endpoints at = stack.endpoints();
        return DriverManager.getConnection(at.jdbcUrl(), at.sqlUser(), at.sqlPassword());
    }

    private Set<String> table() throws SQLException {
        Set<String> ids = new TreeSet<>();
        try (Connection sql = sql();
                Statement statement = sql.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM shop_rows")) {
            while (row.next()) {
                ids.add(row.getString(1));
            }
        }
        return ids;
    }

    private static Set<String> idsOf(Set<String> keys) {
        Set<String> ids = new TreeSet<>();
        for (String key : keys) {
            ids.add(key.replaceFirst("(?s).*\"(r-\\d+)\".*", "$1"));
        }
        return ids;
    }

    private static String difference(Set<String> found, Set<String> wanted) {
        Set<String> missing = new TreeSet<>(wanted);
        missing.removeAll(found);
        Set<String> tooMuch = new TreeSet<>(found);
        tooMuch.removeAll(wanted);
        return "missing " + missing.stream().limit(10).toList() + ", too much "
                + tooMuch.stream().limit(10).toList();
    }

    private void happen(Accident accident) throws Exception {
        Instance victim = instances.get(random.nextInt(instances.size()));
        switch (accident) {
            case KILL_INSTANCE -> {
                victim.kill();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(8_000));
            }
            case RESTART_INSTANCE -> victim.stop();
            case PAUSE_INSTANCE -> {
                victim.pause();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(15_000));
                victim.resume();
            }
            case KILL_BROKER -> {
                stack.broker().kill();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(4_000));
                stack.broker().start();
            }
            case RESTART_BROKER -> {
                stack.broker().stop();
                stack.broker().start();
            }
            case KILL_CONNECT -> {
                stack.connect().kill();
                stack.connect().start();
            }
            case PAUSE_SOURCE -> pauseASource();
        }
        for (Instance instance : instances) {
            instance.launch();
            instance.awaitReady();
        }
    }

    private void pauseASource() throws Exception {
        String source = RowFormat.values()[random.nextInt(RowFormat.values().length)].namespace();
        URI url = instances.get(0).url();
        change(url, source, "pause");
        TimeUnit.MILLISECONDS.sleep(random.nextInt(8_000));
        change(url, source, "resume");
    }

    /** The answer may come before the change is in force, which takes longer on a busy machine. */
    private static void change(URI url, String source, String verb) throws Exception {
        Rest.Answer sent = Rest.send("POST", url, "/v1/sources/" + source + "/" + verb + "?reason=r", "");
        assertThat(sent.status()).as(sent.body().toString()).isIn(200, 202);
        Await.until(verb + " in force", Duration.ofMinutes(2), () -> {
            JsonNode shown = Rest.send("GET", url, "/v1/sources/" + source, "").body();
            boolean isPaused = shown.at("/declaration/paused").asBoolean();
            return isPaused == verb.equals("pause") ? "" : shown.toString();
        });
    }
}
