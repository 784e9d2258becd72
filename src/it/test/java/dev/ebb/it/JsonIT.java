package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.CommandRun;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestBroker;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.serde.NodeClient;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events, policies, holds and commands as JSON, with a broker, the SQL mirror, and no registry anywhere. */
@Tag("R-1")
@Timeout(300)
class JsonIT {

    private static final Logger LOG = LoggerFactory.getLogger(JsonIT.class);

    @TempDir
    private static Path folder;

    private static DevStack stack;
    private static EbbConfig config;
    private static InstanceProcess instance;
    private static KafkaProducer<String, String> producer;

    @BeforeAll
    static void start() throws Exception {
        stack = TestBroker.ofBuild()
                .into(TestStack.builder(folder.resolve("stack"))
                        .without(Service.REGISTRY)
                        .withApp(false))
                .start();
        config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of()));
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
        }
        instance = new InstanceProcess("json", folder, stack.settingsFile(), Map.of());
        instance.start().awaitReady();
        producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()),
                new StringSerializer(),
                new StringSerializer());
    }

    @AfterAll
    static void stop() {
        if (producer != null) {
            producer.close();
        }
        if (instance != null) {
            instance.kill();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void shouldLiveWithoutARegistry() throws Exception {
        // when
        send("ebb.policies", "namespace:shop", "{\"maxCount\": 3, \"undo\": \"none\"}");
        send("ebb.policies", "hold:LIT-1", "{\"covers\": \"stream:shop/held\", \"reason\": \"litigation\"}");
        awaitPolicies();
        for (int i = 0; i < 5; i++) {
            send("ebb.events", "shop/1", "{\"id\": \"e" + i + "\", \"payload\": {\"total\": " + i + "}}");
            send("ebb.events", "shop/held", "{\"id\": \"e" + i + "\"}");
        }
        send("ebb.events", "shop/2", "{\"id\": \"open\", \"status\": \"running\"}");
        send("ebb.events", "shop/2", "{\"id\": \"open\", \"status\": \"completed\", \"update\": true}");
        send("ebb.events", "shop/3", "{\"execution\": 1, \"status\": \"running\"}");
        send("ebb.events", "other", "{\"stream\": \"shop/4\", \"id\": \"rekeyed\"}");
        send("ebb.events", "shop/5", "{}");
        send("ebb.events", "shop/6", "{\n\"ttlSeconds\": true}");
        send(
                "ebb.events",
                "whatever",
                "{\"specversion\":\"1.0\",\"id\":\"ce\",\"source\":\"/shop\",\"subject\":\"7\",\"type\":\"paid\"}");

        // then
        awaitOutput("e4", "event", "list", "shop/1");
        awaitOutput("rekeyed", "event", "list", "shop/4");
        awaitOutput("ebb.events-", "event", "list", "shop/5");
        awaitOutput("ce", "event", "list", "shop/7");
        awaitOutput("ttlSeconds must be a whole number (line 2, column 15)", "rejected", "list");

        // when
        CommandRun swept = instance.run("sweep", "--namespace", "shop", "--yes", "--reason", "test");
        send("ebb.commands", "shop/4", "{\"verb\": \"delete\", \"stream\": \"shop/4\", \"commandId\": \"c-1\"}");

        // then
        assertThat(swept.exitCode()).as(swept.toString()).isZero();
        awaitOutput("DONE", "command", "show", "c-1", "-o", "json");
        CommandRun left = instance.run("event", "list", "shop/1");
        assertThat(left.out()).contains("e2", "e3", "e4").doesNotContain("e0", "e1");
        assertThat(instance.run("event", "list", "shop/held").out()).contains("e0", "e4");
        awaitOutput("MAX_COUNT", "audit", "list");
        assertThat(valuesOf("ebb.audit")).isNotEmpty().allMatch(value -> value.startsWith("{\"auditId\":"));
        assertThat(valuesOf("ebb.reports")).isNotEmpty().allMatch(value -> value.startsWith("{"));
        assertThat(valuesOf("ebb.results")).isNotEmpty().allMatch(value -> value.startsWith("{"));
        awaitSame();
    }

    /** All that reads Ebb's own records again: plans, undo, erasure, archive, receipts, rejected records, reports. */
    @Test
    void shouldDoWithoutARegistryWhatItDoesWithOne() throws Exception {
        // given
        done("policy", "set", "namespace:desk", "--max-age", "30d", "--archive", "--reason", "test", "--confirmed");
        for (String id : List.of("a", "b", "c", "d")) {
            send("ebb.events", "desk/1", "{\"id\": \"" + id + "\", \"metadata\": {\"user\": \"" + id + "\"}}");
        }
        send("ebb.events", "desk/2", "{\"id\": \"e\", \"time\": 1}");
        awaitOutput("unknown field 'time'", "rejected", "list");
        awaitOutput("d", "event", "list", "desk/1");

        // when: a plan, and the command that goes through its list
        String dryRun = done("purge", "--stream", "desk/1", "--command-id", "plan-1", "--dry-run");
        String purged = done("purge", "--plan", "plan-1", "--command-id", "purge-1", "--reason", "test", "--yes");

        // then
        assertThat(dryRun).contains("plan-1");
        assertThat(purged).contains("4");
        awaitOutput("purge-1", "trash", "list");
        awaitOutput("desk/1", "archive", "list", "--stream", "desk/1");
        awaitOutput("PURGE", "audit", "list", "--stream", "desk/1");
        Path receipt = folder.resolve("receipt.json");
        Await.until("a receipt", Duration.ofSeconds(60), () -> {
            CommandRun run = instance.run("receipt", "--command", "purge-1", "-f", receipt.toString());
            return run.exitCode() == 0 ? "" : run.toString();
        });
        assertThat(receipt).content().contains("\"records\"");
        done("audit", "verify");

        // when
        done("undo", "--command", "purge-1", "--reason", "test", "--yes");
        done(
                "erase",
                "--where",
                "metadata.user=b",
                "--namespace",
                "desk",
                "--case",
                "R-1",
                "--reason",
                "test",
                "--yes");

        // then
        assertThat(done("event", "list", "desk/1")).contains("a", "c", "d").doesNotContain(" b ");
        assertThat(done("erase", "status", "R-1")).contains("R-1");
        assertThat(done("explain", "desk/1", "a")).contains("namespace:desk");
        assertThat(done("forecast", "--namespace", "desk")).contains("desk");
        assertThat(done("report", "compliance")).contains("namespace:desk");
        assertThat(done("stream", "describe", "desk/1")).contains("namespace:desk");
        done("rejected", "replay", "--reason", "UNDECODABLE", "--yes");
        done("policy", "export");
        done("status");
        awaitSame();
    }

    private static String done(String... command) {
        CommandRun run = instance.run(command);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        return run.out();
    }

    @Test
    void shouldTakeLinesOfProduce() throws Exception {
        // given
        Path lines = folder.resolve("events.jsonl");
        Files.writeString(lines, "{\"stream\": \"lines/1\", \"id\": \"a\", \"payloadBase64\": \"/wAB\"}\n");

        // when
        CommandRun sent = CommandRun.of(
                Map.of(),
                "",
                folder,
                "produce",
                "-f",
                lines.toString(),
                "--config",
                stack.settingsFile().toString());

        // then
        assertThat(sent.exitCode()).as(sent.toString()).isZero();
        awaitOutput("/wAB", "event", "get", "lines/1", "a", "-o", "json");
    }

    @Test
    void shouldTakeALineOfKcat() throws Exception {
        // given
        boolean isThere = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "kcat")));
        skipUnless(isThere, "there is no 'kcat' on the path");
        Path line = Files.writeString(folder.resolve("line"), "{\"id\": \"a\", \"payload\": {\"total\": 5}}\n");

        // when
        Process kcat = new ProcessBuilder("kcat", "-P", "-b", bootstrapServers(), "-t", "ebb.events", "-k", "kcat/1")
                .redirectInput(line.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("kcat.log").toFile())
                .start();

        // then
        assertThat(kcat.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(kcat.exitValue())
                .as(Files.readString(folder.resolve("kcat.log")))
                .isZero();
        awaitOutput("\"total\" : 5", "event", "get", "kcat/1", "a", "-o", "json");
    }

    @Test
    void shouldTakeWhatAProgramOnNodeSends() throws Exception {
        // given
        NodeClient client = NodeClient.orSkip();
        Map<String, String> binary = Map.of(
                "ce_specversion", "1.0",
                "ce_id", "b",
                "ce_source", "https://node.example/jobs",
                "ce_subject", "1",
                "ce_type", "done",
                "content-type", "text/plain");

        // when
        client.produceJson(
                bootstrapServers(),
                List.of(
                        Map.of("topic", "ebb.events", "key", "node/1", "value", Map.of("id", "a", "type", "order")),
                        Map.of("topic", "ebb.events", "key", "node/1", "headers", binary, "value", "{no json")));

        // then
        awaitOutput("order", "event", "list", "node/1");
        awaitOutput("{no json", "event", "get", "node.example/jobs/1", "b", "-o", "json");
    }

    private static void send(String topic, String key, String value) {
        producer.send(new ProducerRecord<>(topic, key, value));
        producer.flush();
    }

    private static void awaitPolicies() throws InterruptedException {
        awaitOutput("namespace:shop", "policy", "list");
        awaitOutput("LIT-1", "hold", "list");
    }

    private static void awaitOutput(String text, String... command) throws InterruptedException {
        Await.until(text, Duration.ofSeconds(60), () -> {
            CommandRun run = instance.run(command);
            return run.out().contains(text) ? "" : run.toString();
        });
    }

    private static void awaitSame() throws InterruptedException {
        Await.until("SQL has what the store has", Duration.ofSeconds(60), () -> {
            CommandRun run = instance.run("verify");
            return run.exitCode() == 0 ? "" : run.toString();
        });
    }

    private static List<String> valuesOf(String topic) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<String> values = new java.util.ArrayList<>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<String, String> found : consumer.poll(Duration.ofMillis(100))) {
                    values.add(found.value());
                }
            }
            return values;
        }
    }

    private static String bootstrapServers() {
        return stack.endpoints().bootstrapServers();
    }

    /** The log shows the reason to readers of the build. */
    private static void skipUnless(boolean isMet, String reason) throws IOException {
        if (!isMet) {
            LOG.atWarn().addKeyValue("reason", reason).log("SKIPPED: kcat is not tried");
        }
        Assumptions.assumeTrue(isMet, "SKIPPED: kcat is not tried, since " + reason);
    }
}
