package dev.ebb.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.cli.CommandRun;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.it.Await;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.life.LoggingLifecycleObserver;
import dev.ebb.runtime.life.RunOutcome;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/** A topic of another application, with its own producers and readers: Ebb deletes in that very topic. */
@Timeout(180)
@TestInstance(Lifecycle.PER_CLASS)
class SourceIT {

    private static final int PARTITIONS = 3;

    private final HttpClient http = HttpClient.newHttpClient();
    private final long longAgo =
            System.currentTimeMillis() - Duration.ofDays(90).toMillis();
    private EbbConfig config;
    private EbbApplication application;
    private CompletableFuture<RunOutcome> running;
    private Producer<byte[], byte[]> producer;
    private Admin admin;

    @BeforeAll
    void begin() throws Exception {
        try (ServerSocket free = new ServerSocket(0)) {
            config = SharedStack.config(Map.of(
                    "api.listen",
                    "127.0.0.1:" + free.getLocalPort(),
                    "commit.interval",
                    "100ms",
                    "sweep.interval",
                    "200ms"));
        }
        admin = new KafkaClients(config).admin();
        producer = new KafkaClients(config).producer();
        new TopicAdmin(admin, config).create();
        application = new EbbApplication(config, new LoggingLifecycleObserver());
        running = CompletableFuture.supplyAsync(application::run);
        Await.until(() -> get("/health/ready").statusCode() == 200);
    }

    @AfterAll
    void end() throws Exception {
        application.stop();
        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
        producer.close();
        admin.close();
    }

    @Test
    @Tag("F-4")
    @Tag("F-6")
    @Tag("F-12")
    void shouldDeleteRowsInTheTopicOfAnother() throws Exception {
        // given
        String topic = topic("orders", "compact");
        Map<String, String> oracle = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            String state = i % 3 == 0 ? "NEW" : "SHIPPED";
            String value = row("c" + i % 7, state, i % 3 == 1 ? System.currentTimeMillis() : longAgo);
            send(topic, "o-" + i, value);
            if (i % 3 != 2) {
                oracle.put("o-" + i, value);
            }
        }
        send(topic, "broken", "{");
        oracle.put("broken", "{");
        source("orders", topic, "same");
        policy("orders");

        // then
        Await.until(() -> rows(topic).equals(oracle));
        try (KafkaStreams table = table(topic)) {
            Await.until(() -> keysOf(table).equals(oracle.keySet()));
        }
        ConsumerRecord<byte[], byte[]> tombstone = records(topic).stream()
                .filter(record -> record.value() == null)
                .findFirst()
                .orElseThrow();
        assertThat(headers(tombstone))
                .containsEntry("ebb-cause", "MAX_AGE")
                .containsEntry("ebb-scope", "namespace:orders")
                .containsKeys("ebb-policy-version", "ebb-id", "ebb-judged");
        long judged = Long.parseLong(headers(tombstone).get("ebb-judged"));
        assertThat(records(topic))
                .filteredOn(record -> record.partition() == tombstone.partition() && record.offset() == judged)
                .singleElement()
                .satisfies(record -> assertThat(record.key()).isEqualTo(tombstone.key()));
        assertThat(json("/v1/rejected").toString()).contains("SOURCE_CONVERTER");

        // when an order moves to another customer, and another is deleted by its owner
        send(topic, "o-0", row("c9", "NEW", longAgo));
        send(topic, "o-3", null);

        // then
        Await.until(() -> ids("orders/c9").equals(List.of("o-0")));
        Await.until(() -> !ids("orders/c0").contains("o-0") && !ids("orders/c3").contains("o-3"));
        long tombstones = tombstones(topic);

        // when it is done
        send(topic, "o-0", row("c9", "SHIPPED", longAgo));

        // then
        Await.until(() -> !rows(topic).containsKey("o-0"));
        assertThat(tombstones(topic)).isEqualTo(tombstones + 1);
        assertThat(json("/v1/audit?limit=1000").toString()).contains("SOURCE_DELETED");
    }

    /** A newer version comes while the former one is deleted: it never stays deleted. */
    @Test
    @Tag("F-7")
    void shouldKeepWhatProducersWriteWhileItDeletes() throws Exception {
        // given
        String topic = topic("race", "compact");
        source("race", topic, "same");
        policy("race");
        Map<String, String> oracle = new TreeMap<>();

        // when
        for (int round = 0; round < 30; round++) {
            for (int i = 0; i < 20; i++) {
                send(topic, "k-" + i, row("c" + i % 3, "SHIPPED", longAgo));
            }
            producer.flush();
            TimeUnit.MILLISECONDS.sleep(round * 12L);
            for (int i = 0; i < 20; i++) {
                String value = row("c" + (i + round) % 3, "NEW" + round, longAgo);
                send(topic, "k-" + i, value);
                oracle.put("k-" + i, value);
            }
            producer.flush();
        }

        // then
        Await.until(() -> rows(topic).equals(oracle));
        send(topic, "last", row("c1", "SHIPPED", longAgo));
        Await.until(() -> !rows(topic).containsKey("last"));
        assertThat(rows(topic)).isEqualTo(oracle);
        assertThat(tombstones(topic)).isPositive();
    }

    /** A tombstone on a topic that is not compacted would delete nothing, and so would Ebb. */
    @Test
    @Tag("F-6")
    void shouldNotDeleteWhereATombstoneDoesNot() throws Exception {
        // given
        String topic = topic("plain", "delete");
        send(topic, "a", row("c1", "SHIPPED", longAgo));
        source("plain", topic, "same");
        policy("plain");

        // when
        String other = topic("witness", "compact");
        send(other, "a", row("c1", "SHIPPED", longAgo));
        source("witness", other, "same");
        policy("witness");
        Await.until(() -> rows(other).isEmpty());

        // then
        Await.until(() -> json("/v1/namespaces/plain").at("/events").asInt() == 1);
        assertThat(rows(topic)).containsOnlyKeys("a");
        assertThat(json("/v1/sources/plain").at("/reading/problem").asText()).contains("without compact");

        // when such a source is applied
        HttpResponse<String> refused = post("/v1/policies:apply", """
                {"sources": [{"name": "refused", "topic": "%s", "as": "table", "stream": "refused/{key}",
                              "target": {"tombstones": "same"}}]}
                """.formatted(topic));

        // then
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("source:refused, target", "set it to compact");
        assertThat(get("/v1/sources/refused").statusCode()).isEqualTo(404);
    }

    /** Newer records of a row may be in another partition, where the memory of the row is not. */
    @Test
    @Tag("F-11")
    void shouldNotReadATableOnWhosePartitionsAreOthers() throws Exception {
        // given
        String topic = topic("grown", "compact");
        source("grown", topic, "same");
        send(topic, "a", row("c1", "NEW", longAgo));
        Await.until(() -> ids("grown/c1").equals(List.of("a")));

        // when
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(PARTITIONS + 2)))
                .all()
                .get();

        // then
        Await.until(() -> json("/v1/sources/grown")
                .at("/reading/problem")
                .asText()
                .contains("has " + (PARTITIONS + 2) + " partitions, and had " + PARTITIONS));
        assertThat(state("grown")).isEqualTo("stopped");
        assertThat(json("/v1/sources/grown").at("/reading/lag").isNull()).isTrue();
        assertThat(ids("grown/c1")).containsExactly("a");
    }

    /** A class that is missing on one instance must not stop the sources that need none. */
    @Test
    @Tag("F-3")
    void shouldReadTheOtherSourcesIfAClassIsMissing() throws Exception {
        // given
        String topic = topic("classes", "compact");
        send(topic, "a", row("c1", "NEW", longAgo));
        String converted = """
                {"name": "aa-missing", "topic": "%s", "as": "table", "stream": "aa-missing/{key}",
                 "value": {"converter": "com.example.Missing"}}
                """.formatted(topic);
        declare("aa-missing", converted);
        Await.until(() ->
                json("/v1/sources/aa-missing").at("/reading/problem").asText().contains("com.example.Missing"));
        assertThat(state("aa-missing")).isEqualTo("stopped");

        // when
        source("classes", topic, "same");

        // then
        Await.until(() -> ids("classes/c1").equals(List.of("a")));

        // when such a source, or one of a topic of Ebb's own, is applied
        HttpResponse<String> missing =
                post("/v1/policies:apply", "{\"sources\": [" + converted.replace("aa-missing", "refused") + "]}");
        HttpResponse<String> own = post(
                "/v1/policies:apply", """
                {"sources": [{"name": "own", "topic": "%s", "as": "log", "stream": "own"}]}
                """.formatted(TopicPlan.topics(config).rejected()));

        // then
        assertThat(missing.statusCode()).isEqualTo(422);
        assertThat(missing.body()).contains("source:refused, value", "there is no class com.example.Missing");
        assertThat(own.statusCode()).isEqualTo(422);
        assertThat(own.body()).contains("source:own, topic", "is one of Ebb's own");
    }

    /** Rows of a topic that is no more send no tombstones to the one that has its name now. */
    @Test
    @Tag("F-11")
    void shouldNotMixUpATopicWithTheFormerOneOfItsName() throws Exception {
        // given
        String topic = topic("anew", "compact");
        send(topic, "former", row("c1", "SHIPPED", longAgo));
        source("anew", topic, "same");
        Await.until(() -> ids("anew/c1").equals(List.of("former")));

        // when
        admin.deleteTopics(List.of(topic)).all().get();
        Await.until(() -> state("anew").equals("stopped"));
        assertThat(json("/v1/sources/anew").at("/reading/problem").asText()).contains("there is no topic " + topic);
        Await.until(() -> !admin.listTopics().names().get().contains(topic));
        topic("anew", "compact");
        send(topic, "new", row("c1", "SHIPPED", longAgo));
        Await.until(() -> ids("anew/c1").size() == 2);
        assertThat(json("/v1/sources/anew").at("/reading/lastFault").asText())
                .isEqualTo("topic " + topic + " was deleted and made anew, and is read from its beginning");
        policy("anew");

        // then
        Await.until(() -> rows(topic).isEmpty() && tombstones(topic) == 1);
        Await.until(() -> ids("anew/c1").isEmpty());
        assertThat(records(topic))
                .extracting(record -> new String(record.key(), UTF_8))
                .containsOnly("new");
    }

    /** Deletes of a log reach no record of its topic, and the records of a partition keep their order. */
    @Test
    @Tag("F-5")
    void shouldTakeEachRecordOfALogAsAnEvent() throws Exception {
        // given
        String topic = topic("log", "delete");
        long justNow = System.currentTimeMillis();
        Map<Integer, List<String>> oracle = new TreeMap<>();
        for (int i = 0; i < 90; i++) {
            int partition = i % PARTITIONS;
            boolean goes = i % 4 == 0;
            byte[] value = row("all", "SHIPPED", goes ? longAgo : justNow).getBytes(UTF_8);
            long offset = producer.send(new ProducerRecord<>(topic, partition, "same".getBytes(UTF_8), value))
                    .get()
                    .offset();
            if (!goes) {
                oracle.computeIfAbsent(partition, none -> new ArrayList<>()).add(partition + "-" + offset);
            }
        }
        producer.send(new ProducerRecord<>(topic, 0, null, "{}".getBytes(UTF_8)))
                .get();
        declare("log", """
                {"name": "log", "topic": "%s", "as": "log", "stream": "log/{value.customer}",
                 "occurredAt": {"from": "value.at", "unit": "ms"},
                 "status": {"from": "value.state", "map": {"SHIPPED": "completed"}}}
                """.formatted(topic));

        // when
        policy("log");

        // then
        Await.until(() -> byPartition(ids("log/all")).equals(oracle));
        assertThat(records(topic)).hasSize(91);
        Await.until(() -> json("/v1/sources/log").at("/reading/rejected").asInt() == 1);
        assertThat(json("/v1/sources/log").at("/reading/lastFault").asText())
                .contains("SOURCE_PATH", topic + "-0@30", "value.customer");
    }

    private static Map<Integer, List<String>> byPartition(List<String> ids) {
        return ids.stream()
                .collect(Collectors.groupingBy(
                        id -> Integer.parseInt(id.substring(0, id.indexOf('-'))), TreeMap::new, Collectors.toList()));
    }

    /** A reset passes over records, or takes them in again, and only where nothing reads meanwhile. */
    @Test
    @Tag("F-10")
    void shouldPauseResetAndResume() throws Exception {
        // given
        String topic = topic("paused", "compact");
        source("paused", topic, "same");
        send(topic, "first", row("c1", "NEW", longAgo));
        Await.until(() -> ids("paused/c1").equals(List.of("first")));
        assertThat(post("/v1/sources/paused/reset?to=earliest", "").statusCode())
                .isEqualTo(422);

        // when
        change("/v1/sources/paused/pause?reason=r");
        Await.until(() -> state("paused").equals("paused"));
        send(topic, "passed", row("c1", "NEW", longAgo));
        Await.until(() -> json("/v1/sources/paused").at("/reading/lag").asLong() == 1);
        change("/v1/sources/paused/reset?to=latest&actor=eva&reason=new");
        change("/v1/sources/paused/resume");
        send(topic, "last", row("c1", "NEW", longAgo));

        // then
        Await.until(() -> ids("paused/c1").contains("last"));
        assertThat(ids("paused/c1")).containsExactlyInAnyOrder("first", "last");
        Await.until(() -> json("/v1/audit?action=SOURCE_RESET").at("/audit").size() == 1);
        JsonNode reset = json("/v1/audit?action=SOURCE_RESET").at("/audit/0");
        assertThat(reset.at("/actor").asText()).isEqualTo("eva");
        assertThat(reset.at("/scope").asText()).isEqualTo("source:paused");
        assertThat(reset.at("/reason").asText()).contains("read from latest: partition 0 from ", " to ", "; new");

        // when
        change("/v1/sources/paused/pause");
        change("/v1/sources/paused/reset?to=earliest");
        change("/v1/sources/paused/resume");

        // then
        Await.until(() -> ids("paused/c1").contains("passed"));
        Await.until(() -> state("paused").equals("reading")
                && json("/v1/sources/paused").at("/reading/lag").asLong() == 0);
        assertThat(ids("paused/c1")).containsExactlyInAnyOrder("first", "passed", "last");
    }

    /** Its events go, and its rows only if that is said. */
    @Test
    @Tag("F-10")
    void shouldRemoveSourcesWithTheirEvents() throws Exception {
        // given
        String kept = topic("left", "compact");
        String gone = topic("gone", "compact");
        for (int i = 0; i < 20; i++) {
            send(kept, "k-" + i, row("c" + i % 3, "SHIPPED", longAgo));
            send(gone, "k-" + i, row("c" + i % 3, "SHIPPED", longAgo));
        }
        source("left", kept, "same");
        source("gone", gone, "same");
        Await.until(() -> events("left") == 20 && events("gone") == 20);

        // when
        CommandRun dry = run("left", "--delete", "--dry-run");
        CommandRun braked = run("left", "--delete", "--reason", "over", "--max-deletes", "19", "--yes");

        // then
        assertThat(dry.out()).containsPattern("20 events");
        assertThat(braked.exitCode()).as(braked.err()).isEqualTo(5);
        assertThat(braked.err()).contains("ebb source resume left");
        assertThat(events("left")).isEqualTo(20);

        // when
        CommandRun first = run("left", "--delete", "--reason", "over", "--max-deletes", "20", "--yes", "-o", "json");
        CommandRun second = run("gone", "--delete-target", "--reason", "over", "--max-deletes", "20", "--yes");

        // then
        assertThat(first.exitCode()).as(first.err()).isZero();
        assertThat(second.exitCode()).as(second.err()).isZero();
        assertThat(get("/v1/sources/left").statusCode()).isEqualTo(404);
        assertThat(get("/v1/sources/gone").statusCode()).isEqualTo(404);
        Await.until(() -> events("left") == 0 && events("gone") == 0);
        assertThat(rows(kept)).hasSize(20);
        Await.until(() -> rows(gone).isEmpty());
        assertThat(tombstones(kept)).isZero();
        assertThat(json("/v1/audit?limit=1000").toString()).contains("EMPTY_SOURCE", "SOURCE_REMOVED");

        // when
        String command = new ObjectMapper()
                .readTree(first.out())
                .at("/deleted/commandId")
                .asText();
        HttpResponse<String> back =
                post("/v1/undo?wait=20s", "{\"command\": \"" + command + "\", \"reason\": \"again\"}");

        // then
        assertThat(back.body()).contains("DONE");
        assertThat(events("left")).isEqualTo(20);
        assertThat(rows(kept)).hasSize(20);
    }

    private int events(String namespace) throws Exception {
        return json("/v1/namespaces/" + namespace).at("/events").asInt();
    }

    private CommandRun run(String source, String... more) {
        String[] words = Stream.concat(Stream.of("source", "remove", source), Stream.of(more))
                .toArray(String[]::new);
        Map<String, String> environment = Map.of("EBB_API_URL", "http://" + config.get(Settings.API_LISTEN));
        return CommandRun.of(environment, "", Path.of("target", "no-home"), words);
    }

    private String state(String source) throws Exception {
        return json("/v1/sources/" + source).at("/reading/state").asText();
    }

    private void change(String path) throws Exception {
        HttpResponse<String> answer = post(path, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return http.send(request(path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private void source(String name, String topic, String tombstones) throws Exception {
        String declaration = """
                {"name": "%s", "topic": "%s", "as": "table", "key": "text", "value": "json",
                 "stream": "%s/{value.customer}", "occurredAt": {"from": "value.at", "unit": "ms"},
                 "status": {"from": "value.state", "map": {"SHIPPED": "completed"}},
                 "target": {"tombstones": "%s"}}
                """.formatted(name, topic, name, tombstones);
        declare(name, declaration);
    }

    private void declare(String name, String declaration) throws Exception {
        producer.send(new ProducerRecord<>(
                        TopicPlan.topics(config).policiesAccepted(),
                        ("source:" + name).getBytes(UTF_8),
                        declaration.getBytes(UTF_8)))
                .get();
    }

    private void policy(String namespace) throws Exception {
        String policy = "{\"maxAge\":\"30d\",\"anchor\":\"occurred\",\"mode\":\"enforce\",\"confirmed\":true}";
        HttpResponse<String> answer = http.send(
                request("/v1/policies/namespace:" + namespace)
                        .PUT(BodyPublishers.ofString(policy))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private String topic(String name, String cleanup) throws Exception {
        String topic = config.get(Settings.APPLICATION_ID) + "-shop." + name;
        NewTopic made = new NewTopic(topic, PARTITIONS, (short) 1).configs(Map.of("cleanup.policy", cleanup));
        admin.createTopics(List.of(made)).all().get();
        return topic;
    }

    private static String row(String customer, String state, long atMs) {
        return "{\"customer\": \"%s\", \"state\": \"%s\", \"at\": %d}".formatted(customer, state, atMs);
    }

    private void send(String topic, String key, String value) throws Exception {
        // One after the other: what a producer sends ahead to a topic that has just been made may get lost in its
        // retries.
        producer.send(new ProducerRecord<>(topic, key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8)))
                .get();
    }

    private List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (Consumer<byte[], byte[]> reader = new KafkaClients(config).reader()) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                partitions.add(new TopicPartition(topic, partition));
            }
            reader.assign(partitions);
            reader.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
            while (partitions.stream().anyMatch(partition -> reader.position(partition) < ends.get(partition))) {
                reader.poll(Duration.ofMillis(50)).forEach(all::add);
            }
        }
        return all;
    }

    /** The rows that a reader of the whole topic has. */
    private Map<String, String> rows(String topic) {
        Map<String, String> rows = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records(topic)) {
            String key = new String(record.key(), UTF_8);
            if (record.value() == null) {
                rows.remove(key);
            } else {
                rows.put(key, new String(record.value(), UTF_8));
            }
        }
        return rows;
    }

    private long tombstones(String topic) {
        return records(topic).stream()
                .filter(record -> headers(record).containsKey("ebb-cause"))
                .count();
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
        return StreamSupport.stream(record.headers().spliterator(), false)
                .collect(Collectors.toMap(header -> header.key(), header -> new String(header.value(), UTF_8)));
    }

    private KafkaStreams table(String topic) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.globalTable(
                topic,
                Consumed.with(Serdes.String(), Serdes.String()),
                Materialized.<String, String, KeyValueStore<Bytes, byte[]>>as("rows"));
        Properties settings = new Properties();
        settings.putAll(new KafkaClients(config).properties());
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, topic + "-table");
        settings.put(
                StreamsConfig.STATE_DIR_CONFIG, Path.of("target", "it", "table").toString());
        settings.put("isolation.level", "read_committed");
        KafkaStreams streams = new KafkaStreams(builder.build(), settings);
        streams.start();
        return streams;
    }

    private static TreeSet<String> keysOf(KafkaStreams table) {
        TreeSet<String> keys = new TreeSet<>();
        var store = table.store(
                StoreQueryParameters.fromNameAndType("rows", QueryableStoreTypes.<String, String>keyValueStore()));
        try (var all = store.all()) {
            all.forEachRemaining(row -> keys.add(row.key));
        }
        return keys;
    }

    private List<String> ids(String stream) throws Exception {
        List<String> ids = new ArrayList<>();
        json("/v1/streams/" + stream.replace("/", "%2F") + "/events?limit=1000")
                .at("/events")
                .forEach(event -> ids.add(event.at("/id").asText()));
        return ids;
    }

    private JsonNode json(String path) throws Exception {
        return new ObjectMapper().readTree(get(path).body());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(request(path).GET().build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + config.get(Settings.API_LISTEN) + path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(20));
    }
}
