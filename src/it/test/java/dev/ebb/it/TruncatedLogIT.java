package dev.ebb.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.CommandRun;
import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.SharedStack;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log of another application gets shorter at its start, and never past a record that must stay. */
@Tag("F-8")
@Timeout(600)
class TruncatedLogIT {

    private static final int PARTITIONS = 3;
    private static final long LONG_AGO =
            System.currentTimeMillis() - Duration.ofDays(90).toMillis();

    private final String name = SharedStack.name();
    private final Map<String, String> shared = Map.of(
            "application.id",
            name,
            "topics.prefix",
            name + ".",
            "topics.partitions",
            "2",
            "commit.interval",
            "100ms",
            "sweep.interval",
            "200ms",
            "sources.truncate.interval",
            "500ms");
    private final EbbConfig config = SharedStack.config(shared);
    private final KafkaClients clients = new KafkaClients(config);
    private final String topic = name + "-shop.log";

    @Test
    void shouldMoveTheStartsUpToWhatMustStayWhateverIsKilled(@TempDir Path folder) throws Exception {
        InstanceProcess instance =
                new InstanceProcess("cutter", folder.resolve("1"), SharedStack.settingsFile(), shared);
        InstanceProcess other = new InstanceProcess("other", folder.resolve("2"), SharedStack.settingsFile(), shared);
        try (Admin admin = clients.admin();
                Producer<byte[], byte[]> producer = clients.producer()) {
            // given
            new TopicAdmin(admin, config).create();
            topic(admin, "delete", topic);
            topic(admin, "compact", topic + "-compacted");
            for (int offset = 0; offset < 10; offset++) {
                send(producer, 0, row("a", offset == 5 ? "QUEUED" : "DONE"));
                send(producer, 1, row(offset == 3 ? "held" : "b", "DONE"));
                send(producer, 2, offset == 7 ? "{" : row("c", "DONE"));
            }
            instance.start().awaitReady();

            // when
            apply(instance, "warn");

            // then
            awaitHolds(instance, "[0, 0, 0]", "[0, 0, 0]");
            assertThat(instance.json("/v1/sources/log").at("/mode").asText()).isEqualTo("warn");

            // when
            apply(instance, "enforce");

            // then
            awaitHolds(instance, "[5, 3, 7]", "[5, 3, 7]");
            assertThat(starts(admin)).isEqualTo(List.of(5L, 3L, 7L));
            assertThat(instance.json("/v1/sources/log").at("/reading/starts").toString())
                    .contains(
                            "event 0-5 of log/a, which is protected",
                            "event 1-3 of log/held, held by [L-9]",
                            "rejected");
            CommandRun listed = instance.run("source", "list");
            assertThat(listed.toString()).contains("Start of " + topic + "-1: 3", "held by [L-9]");
            Await.until(() -> instance.get("/v1/audit?action=LOG_RAISED")
                    .body()
                    .contains("the start of " + topic + "-0 moves from 0 to 5; what stays there: event 0-5"));

            // when the hold is released, and one of two instances is killed again and again while records come
            other.start().awaitReady();
            assertThat(instance.delete("/v1/holds/L-9?reason=over").statusCode())
                    .isEqualTo(200);
            long seed = System.nanoTime();
            Random random = new Random(seed);
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < 40; i++) {
                    send(producer, 0, row("a", "DONE"));
                    send(producer, 1, row("b", "DONE"));
                }
                TimeUnit.MILLISECONDS.sleep(random.nextInt(3000));
                InstanceProcess killed = round % 2 == 0 ? instance : other;
                killed.end();
                assertThat(starts(admin)).as("seed %d", seed).startsWith(5L).endsWith(7L);
                killed.start().awaitReady();
            }
            send(producer, 1, row("b", "QUEUED"));
            send(producer, 1, row("b", "DONE"));

            // then
            awaitHolds(instance, "[5, 170, 7]", "[5, 170, 7]");
            awaitHolds(other, "[5, 170, 7]", "[5, 170, 7]");
            assertThat(starts(admin)).isEqualTo(List.of(5L, 170L, 7L));

            // when a source of a compacted topic is to be cut
            HttpResponse<String> refused = instance.post("/v1/policies:apply", """
                    {"sources": [{"name": "compacted", "topic": "%s-compacted", "as": "log", "stream": "compacted/x",
                                  "target": "truncate"}]}
                    """.formatted(topic));

            // then
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("has compact", "set it to delete");
        } finally {
            instance.end();
            other.end();
        }
    }

    private void apply(InstanceProcess instance, String mode) throws Exception {
        HttpResponse<String> applied = instance.post("/v1/policies:apply?anyway=true", """
                {"sources": [{"name": "log", "topic": "%s", "as": "log", "stream": "log/{value.customer}",
                              "occurredAt": {"from": "value.at", "unit": "ms"},
                              "status": {"from": "value.state", "map": {"DONE": "completed"}}, "target": "truncate"}],
                 "policies": [{"scope": "namespace:log", "maxAge": "30d", "anchor": "occurred", "mode": "%s",
                               "confirmed": true}],
                 "holds": [{"case": "L-9", "covers": "stream:log/held", "reason": "litigation"}]}
                """.formatted(topic, mode));
        assertThat(applied.statusCode()).as(applied.body()).isEqualTo(200);
    }

    /** Awaits the starts, and what holds them, as the instance shows them. */
    private static void awaitHolds(InstanceProcess instance, String starts, String next) throws Exception {
        Await.until("starts " + starts + ", held at " + next, () -> {
            JsonNode shown = instance.json("/v1/sources/log").at("/reading/starts");
            Map<Integer, Long> from = new TreeMap<>();
            Map<Integer, Long> to = new TreeMap<>();
            shown.forEach(start -> {
                from.put(start.path("partition").asInt(), start.path("start").asLong());
                to.put(start.path("partition").asInt(), start.path("next").asLong());
            });
            boolean isSo = from.values().toString().equals(starts)
                    && to.values().toString().equals(next);
            return isSo ? "" : instance.json("/v1/sources/log").toString();
        });
    }

    private List<Long> starts(Admin admin) throws Exception {
        Map<TopicPartition, OffsetSpec> asked = new TreeMap<>((a, b) -> a.partition() - b.partition());
        for (int partition = 0; partition < PARTITIONS; partition++) {
            asked.put(new TopicPartition(topic, partition), OffsetSpec.earliest());
        }
        var answer = admin.listOffsets(asked).all().get();
        return asked.keySet().stream()
                .map(partition -> answer.get(partition).offset())
                .toList();
    }

    private static void topic(Admin admin, String cleanup, String called) throws Exception {
        NewTopic made = new NewTopic(called, PARTITIONS, (short) 1).configs(Map.of("cleanup.policy", cleanup));
        admin.createTopics(List.of(made)).all().get();
    }

    private static String row(String customer, String state) {
        return "{\"customer\": \"%s\", \"state\": \"%s\", \"at\": %d}".formatted(customer, state, LONG_AGO);
    }

    private void send(Producer<byte[], byte[]> producer, int partition, String value) throws Exception {
        producer.send(new ProducerRecord<>(topic, partition, null, value.getBytes(UTF_8)))
                .get();
    }
}
