package dev.ebb.it;

import static dev.ebb.model.EventBuilder.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.SharedStack;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.topology.wire.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An instance in a process of its own, with little memory, among records of every size. The long form is a fault:
 * {@code -Pfaults -Dfaults.only=hostile}. {@code -Dtest.seed=N} draws others.
 */
@Tag("O-20")
@Timeout(180)
class HostileRecordsIT {

    private static final long SEED = Long.getLong("test.seed", 20_261_124L);
    private static final int ROUNDS = 3;
    private static final int GOOD = 50;
    private static final int BAD = 25;

    private static final Map<String, String> SETTINGS = Map.of(
            "topics.partitions",
            "2",
            "record.max.bytes",
            "65536",
            "commit.interval",
            "100ms",
            // Rows of which some grow beyond the limit.
            "mirror.json",
            "on",
            "retention.default.max.age",
            "unlimited",
            "state.lookup.bytes",
            "1048576",
            "rocksdb.block.cache.bytes",
            "8388608",
            "rocksdb.write.buffer.bytes",
            "4194304");

    @TempDir
    private Path folder;

    private InstanceProcess instance;
    private int sentGood;

    @AfterEach
    void stop() {
        if (instance != null) {
            instance.kill();
        }
    }

    @Test
    void shouldGetThroughRecordsOfEverySizeOnEveryTopic() throws Exception {
        // given
        System.out.println("HostileRecordsIT: -Dtest.seed=" + SEED);
        EbbConfig config = SharedStack.config(SETTINGS);
        Topics topics = new Topics(config.get(Settings.TOPICS_PREFIX), config.get(Settings.TOPICS_PARTITIONS));
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
        }
        instance = new InstanceProcess("hostile", folder, SharedStack.settingsFile(), own(config));
        instance.start().awaitReady();

        try (AvroRecords records = AvroRecords.of(AvroSettings.of(config.schemaRegistryProperties()));
                HostileRecords hostile = new HostileRecords(new Random(SEED), config, topics, records);
                CommittedTopic rejected =
                        CommittedTopic.withoutValues(config.get(Settings.BOOTSTRAP_SERVERS), topics.rejected())) {
            // when
            for (int round = 0; round < ROUNDS; round++) {
                sendGood(config, topics, records);
                hostile.send(BAD);
            }
            // All of them at once are more than the heap.
            hostile.sendBomb(topics.events(), 200, hostile.biggestRejectedBytes());
            hostile.sendBomb(topics.events(), 600, 2 * hostile.biggestRejectedBytes());
            hostile.sendBomb(topics.policies(), 20, 3_000_000);
            // Each of them, or two at a time.
            hostile.sendBomb(topics.events(), 3, 140_000_000);
            hostile.sendBomb(topics.commands(), 2, 140_000_000);
            sendGood(config, topics, records);

            // then
            awaitGood();
            Await.until("each is set aside", Duration.ofSeconds(60), () -> hostile.missing(rejected.read()));
            awaitPolicyInForce();
            assertThat(instance.logged("a stream thread failed")).isZero();
            assertThat(instance.logged("OutOfMemory")).isZero();
            assertThat(rejectedByMetrics()).isEqualTo(hostile.expected());
            System.out.println("HostileRecordsIT: " + hostile.expected() + " set aside, " + hostile.unsendable()
                    + " refused by the broker, " + sentGood + " good");
        }
    }

    private static Map<String, String> own(EbbConfig config) {
        Map<String, String> own = new TreeMap<>(SETTINGS);
        own.put("application.id", config.get(Settings.APPLICATION_ID));
        own.put("topics.prefix", config.get(Settings.TOPICS_PREFIX));
        return own;
    }

    /** In the streams of the bad ones, and between them. */
    private void sendGood(EbbConfig config, Topics topics, AvroRecords records) {
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", config.get(Settings.BOOTSTRAP_SERVERS)),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < GOOD; i++) {
                String stream = HostileRecords.stream(i);
                byte[] value = records.event(event(stream, "good-" + sentGood++).build());
                producer.send(new ProducerRecord<>(topics.events(), stream.getBytes(UTF_8), value));
            }
        }
    }

    private void awaitGood() throws InterruptedException {
        Await.until("all good events are stored", () -> {
            if (!instance.isRunning()) {
                throw new AssertionError("it ended:\n" + instance.log());
            }
            JsonNode namespace = instance.json("/v1/namespaces/hostile");
            return namespace.path("events").asInt() == sentGood ? "" : namespace.toString();
        });
    }

    private void awaitPolicyInForce() throws Exception {
        assertThat(instance.put("/v1/policies/namespace:hostile", "{\"maxCount\":3,\"confirmed\":true}")
                        .statusCode())
                .isEqualTo(200);
        Await.until("the policy has acted", () -> {
            JsonNode namespace = instance.json("/v1/namespaces/hostile");
            return namespace.path("events").asInt() == 15 ? "" : namespace.toString();
        });
    }

    private long rejectedByMetrics() throws Exception {
        return (long) instance.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("ebb_records_rejected_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
