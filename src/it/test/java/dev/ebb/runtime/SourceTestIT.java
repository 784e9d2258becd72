package dev.ebb.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.cli.CommandRun;
import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.serde.schemas.ConfluentSchemaRegistry;
import dev.ebb.serde.schemas.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first thing that a stranger tries: a file about a topic of their own, and a broker; no running application. */
@Tag("F-10")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class SourceTestIT {

    private static final Schema JOB = new Schema.Parser().parse("""
            {"type": "record", "name": "Job", "fields": [
              {"name": "queue", "type": "string"},
              {"name": "done", "type": ["null", {"type": "long", "logicalType": "timestamp-millis"}], "default": null}
            ]}""");

    private final EbbConfig config = SharedStack.config(Map.of());
    private final String prefix = SharedStack.name();
    private final long now = System.currentTimeMillis();
    private Producer<byte[], byte[]> producer;

    @TempDir
    Path folder;

    @BeforeAll
    void begin() {
        producer = new KafkaClients(config).producer();
    }

    @AfterAll
    void end() {
        producer.close();
    }

    @Test
    void shouldShowWhatEachRecordIsAndWhatWouldGo() throws Exception {
        // given
        String topic = topic("orders", 3);
        send(topic, 0, "o-1", json("eva", "SHIPPED", now - days(40)));
        send(topic, 0, "o-2", json("eva", "NEW", now - days(40)));
        send(topic, 1, "o-3", json("max", "SHIPPED", now - days(29) - hours(12)));
        send(topic, 1, "o-4", json("max", "CANCELLED", now - days(25)));
        send(topic, 2, "o-5", json("max", "SHIPPED", now));
        send(topic, 2, "o-6", json("max", "SHIPPED", now - days(50)));
        send(topic, 2, "o-6", (String) null);
        send(topic, 2, "o-7", "{\"state\": \"SHIPPED\"}");
        send(topic, 2, "o-8", "broken");
        Path file = file(topic, "json", "orders/{value.customer}", """
                policies:
                  - scope: namespace:orders
                    anchor: occurred
                    maxAge: 30d
                """);

        // when
        CommandRun table = run(file.toString());
        JsonNode result = json(run(file.toString(), "-o", "json"), 3);

        // then
        assertThat(table.exitCode()).isEqualTo(3);
        assertThat(table.out())
                .containsPattern(topic + "-0@0 +orders/eva +o-1 +completed .* goes: MAX_AGE")
                .containsPattern(topic + "-0@1 +orders/eva +o-2 +unmapped:NEW \\(protects\\) .* stays: protected")
                .containsPattern("o-6 .* removed later")
                .containsPattern("o-6 .* removes the event")
                .containsPattern("SOURCE_PATH: value.customer\\s+must be there, found nothing")
                .containsPattern("SOURCE_CONVERTER: value is not\\s+JSON")
                .containsPattern("NAMESPACE +EVENTS +GO NOW +IN A DAY +IN A WEEK")
                .containsPattern("orders +5 +1 +2 +3 +warn: deletes nothing");
        assertThat(table.err()).contains("2 records of 9 do not fit");
        assertThat(result.path("records")).hasSize(9);
        assertThat(result.at("/namespaces/0").toString())
                .isEqualTo("{\"namespace\":\"orders\",\"events\":5,\"now\":1,\"inADay\":2,\"inAWeek\":3,"
                        + "\"isEnforced\":false}");
        assertThat(result.path("faults").asInt()).isEqualTo(2);
    }

    /** Guards count the newest records, which a sample has. */
    @Test
    void shouldLetKeepLastHoldsAndWarnSpeak() throws Exception {
        // given
        String topic = topic("guards", 1);
        for (int i = 0; i < 5; i++) {
            send(topic, 0, "k-" + i, json("eva", "SHIPPED", now - days(60 - i)));
        }
        Path file = file(topic, "json", "guards/{value.customer}", "");
        Path policies = folder.resolve("policies-" + topic + ".yaml");

        // when
        Files.writeString(
                policies, "policies:\n  - {scope: namespace:guards, anchor: occurred, maxAge: 30d, keepLast: 2}\n");
        JsonNode guarded = json(run(file.toString(), "--policies", policies.toString(), "-o", "json"), 0);
        Files.writeString(
                policies,
                "policies:\n  - {scope: namespace:guards, anchor: occurred, maxAge: 30d, mode: warn}\n"
                        + "holds:\n  - {case: c, covers: 'stream:guards/eva', reason: r}\n");
        JsonNode held = json(run(file.toString(), "--policies", policies.toString(), "-o", "json"), 0);

        // then
        assertThat(decisions(guarded)).containsExactly("MAX_AGE", "MAX_AGE", "MAX_AGE", "GUARDED", "GUARDED");
        assertThat(decisions(held)).containsOnly("HELD");
        assertThat(held.at("/namespaces/0/isEnforced").asBoolean()).isFalse();
    }

    @Test
    void shouldReadAvroAndTexts() throws Exception {
        // given
        String avro = topic("avro", 1);
        try (ConfluentSchemaRegistry registry = ConfluentSchemaRegistry.of(AvroSettings.of(config.avroProperties()))) {
            int id = registry.register(avro + "-value", JOB.toString());
            GenericData.Record job = new GenericData.Record(JOB);
            job.put("queue", "mail");
            job.put("done", now - days(2));
            send(avro, 0, "j-1", WireFormat.write(id, job));
        }
        send(avro, 0, "j-2", new byte[] {0, 0, 0, 0, 1, 2});
        send(avro, 0, "j-3", new byte[] {0, 127, 127, 127, 127, 2});
        String text = topic("text", 1);
        send(text, 0, "t-1", "mail");
        send(text, 0, "t-2", new byte[] {-1});
        Path file = folder.resolve("two.yaml");
        Files.writeString(file, """
                sources:
                  - name: jobs
                    topic: %s
                    as: table
                    value: avro
                    stream: "jobs/{value.queue}"
                    completedAt: value.done
                  - name: texts
                    topic: %s
                    as: log
                    value: text
                    stream: "texts/{value}"
                policies:
                  - {scope: "*", anchor: completed, maxAge: 1d}
                """.formatted(avro, text));

        // when
        JsonNode result = json(run(file.toString(), "-o", "json"), 3);

        // then
        assertThat(result.at("/records/0/stream").asText()).isEqualTo("jobs/mail");
        assertThat(result.at("/records/0/reason").asText()).isEqualTo("MAX_AGE");
        assertThat(result.at("/records/1/fault/message").asText()).contains("schema 1");
        assertThat(result.at("/records/2/fault/message").asText())
                .isEqualTo("names the schema 2139062143, which the registry does not have");
        assertThat(result.at("/records/3/stream").asText()).isEqualTo("texts/mail");
        assertThat(result.at("/records/3/id").asText()).isEqualTo("0-0");
        assertThat(result.at("/records/4/fault/message").asText()).isEqualTo("is not a text in UTF-8");
    }

    @Test
    void shouldReadTheNewestRecordsOrThoseSinceATime() throws Exception {
        // given
        String topic = topic("many", 2);
        for (int i = 0; i < 30; i++) {
            send(topic, i % 2, "k-" + i, "{\"customer\": \"eva\"}", now - days(10) + i);
        }
        send(topic, 0, "new", "{\"customer\": \"eva\"}", now);
        Path file = file(topic, "json", "many/{value.customer}", "");

        // then
        assertThat(ids(run(file.toString(), "-o", "json")))
                .hasSize(20)
                .endsWith("k-29", "new")
                .contains("k-11");
        assertThat(ids(run(file.toString(), "--last", "1", "-o", "json"))).containsExactly("new");
        assertThat(ids(run(file.toString(), "--last", "100", "-o", "json"))).hasSize(31);
        assertThat(ids(run(file.toString(), "--since", "1d", "-o", "json"))).containsExactly("new");
        assertThat(ids(run(file.toString(), "--since", "30d", "-o", "json"))).hasSize(31);
    }

    /** Markers of transactions and records of aborted ones have offsets, but are no records. */
    @Test
    void shouldFindTheNewestRecordsBehindAbortedOnes() throws Exception {
        // given
        String topic = topic("aborted", 1);
        send(topic, 0, "k-1", "{\"customer\": \"eva\"}");
        send(topic, 0, "k-2", "{\"customer\": \"eva\"}");
        try (Producer<byte[], byte[]> other = new KafkaClients(config).transactionalProducer(topic)) {
            other.initTransactions();
            for (int i = 0; i < 5; i++) {
                other.beginTransaction();
                other.send(new ProducerRecord<>(topic, 0, now, "a".getBytes(UTF_8), "{}".getBytes(UTF_8)))
                        .get();
                other.abortTransaction();
            }
        }
        Path file = file(topic, "json", "aborted/{value.customer}", "");

        // then
        assertThat(ids(run(file.toString(), "--last", "1", "-o", "json"))).containsExactly("k-2");
        assertThat(ids(run(file.toString(), "--last", "2", "-o", "json"))).containsExactly("k-1", "k-2");
    }

    @Test
    void shouldAnswerWellWhatMakesNoSense() throws Exception {
        // given
        String topic = topic("answers", 1);
        Path file = file(topic, "json", "a/{value.customer}", "");
        Path none = folder.resolve("none.yaml");
        Files.writeString(none, "policies: []\n");
        Path wrong = folder.resolve("wrong.yaml");
        Files.writeString(wrong, "sources:\n  - name: a\n    topic: t\n    as: tabl\n    stream: a\n");

        // then
        refused(2, "cannot read nowhere.yaml", "nowhere.yaml");
        refused(2, "has no sources; begin with", none.toString());
        refused(
                2,
                "line 4, sources[0] (a): as: must be table or log, was 'tabl'; did you mean table?",
                wrong.toString());
        refused(2, "name either --last or --since", file.toString(), "--last", "1", "--since", "1d");
        refused(2, "--last must be between 1 and 100000, was 0", file.toString(), "--last", "0");
        refused(2, "--since", file.toString(), "--since", "soon");
        refused(
                1,
                "there is no topic '" + topic + "x'; did you mean " + topic + "?",
                file.toString(),
                "--topic",
                topic + "x");
        refused(4, "Is it running?", file.toString(), "--set", "bootstrap.servers=127.0.0.1:1");
        assertThat(run(file.toString()).err())
                .contains("The topic has no records.")
                .doesNotContain("refused");
        Path target = Files.writeString(
                folder.resolve("target.yaml"), Files.readString(file) + "    target: {tombstones: same}\n");
        assertThat(run(target.toString()).err())
                .contains("would be refused: cleanup.policy of topic " + topic + " is without compact");
        assertThat(run(file.toString()).exitCode()).isZero();
        assertThat(topics()).doesNotContain(topic + "x");
    }

    private void refused(int exitCode, String message, String... args) {
        CommandRun run = run(args);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(run.err()).contains(message).doesNotContain("at dev.ebb");
    }

    private static List<String> decisions(JsonNode result) {
        List<String> reasons = new ArrayList<>();
        result.path("records").forEach(row -> reasons.add(row.path("reason").asText()));
        return reasons;
    }

    private static List<String> ids(CommandRun run) throws IOException {
        List<String> ids = new ArrayList<>();
        json(run, 0).path("records").forEach(row -> ids.add(row.path("id").asText()));
        return ids;
    }

    private static JsonNode json(CommandRun run, int exitCode) throws IOException {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        return new ObjectMapper().readTree(run.out());
    }

    private CommandRun run(String... args) {
        String[] all = Stream.concat(
                        Stream.of("source", "test"),
                        Stream.concat(
                                Stream.of(args),
                                Stream.of("--config", SharedStack.settingsFile().toString())))
                .toArray(String[]::new);
        return CommandRun.of(all);
    }

    private Path file(String topic, String value, String stream, String policies) throws IOException {
        Path file = folder.resolve(topic + ".yaml");
        return Files.writeString(file, """
                sources:
                  - name: %s
                    topic: %s
                    as: table
                    value: %s
                    stream: "%s"
                    status: {from: value.state, map: {SHIPPED: completed, CANCELLED: cancelled}}
                    occurredAt: {from: value.at, unit: ms}
                %s""".formatted(topic, topic, value, stream, policies));
    }

    private String topic(String name, int partitions) throws Exception {
        String topic = prefix + "." + name;
        try (Admin admin = new KafkaClients(config).admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get();
        }
        return topic;
    }

    private List<String> topics() throws Exception {
        try (Admin admin = new KafkaClients(config).admin()) {
            return admin.listTopics().names().get().stream().collect(Collectors.toList());
        }
    }

    private void send(String topic, int partition, String key, String value) throws Exception {
        send(topic, partition, key, value, now);
    }

    private void send(String topic, int partition, String key, String value, long timestamp) throws Exception {
        byte[] bytes = value == null ? null : value.getBytes(UTF_8);
        producer.send(new ProducerRecord<>(topic, partition, timestamp, key.getBytes(UTF_8), bytes))
                .get();
    }

    private void send(String topic, int partition, String key, byte[] value) throws Exception {
        producer.send(new ProducerRecord<>(topic, partition, now, key.getBytes(UTF_8), value))
                .get();
    }

    private static String json(String customer, String state, long at) {
        return "{\"customer\": \"" + customer + "\", \"state\": \"" + state + "\", \"at\": " + at + "}";
    }

    private static long days(long days) {
        return days * 86_400_000L;
    }

    private static long hours(long hours) {
        return hours * 3_600_000L;
    }
}
