package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.CommandRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Receipts of sweeps over three starts of one instance, verified by the program that is for people who trust nothing: without
 * a key and a registry, so that the audit is JSON; with a key, and events as JSON and as Avro; and with a renewed key.
 */
@Tag("T-8")
@Tag("T-9")
@Timeout(600)
class ReceiptIT {

    private static final Path VERIFIER = Path.of("docs", "receipts", "VerifyReceipt.java");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> WITHOUT_REGISTRY = Map.of("schema.registry.url", "");

    @TempDir
    private Path folder;

    private OwnServices services;
    private InstanceProcess instance;

    @AfterEach
    void stop() throws Exception {
        if (instance != null) {
            instance.end();
        }
        if (services != null) {
            services.close();
        }
    }

    @Test
    void shouldProveSweepsOverARenewedKeyAndToNoOtherKey() throws Exception {
        // given
        services = OwnServices.begin();
        services.createTopics(Map.of());
        Path first = folder.resolve("first.key");
        Path second = folder.resolve("second.key");

        // when it runs without a key and a registry
        start(WITHOUT_REGISTRY);
        makeKey(first);
        makeKey(second);
        put("/v1/policies/namespace:shop", "{\"maxCount\":1}");
        Path unsigned = receiptOfSweep("shop/unsigned", this::sendAsJson);

        // then the proof is whole, and nothing vouches for it
        assertThat(values(unsigned)).allMatch(value -> value.startsWith("{\"auditId\":"));
        assertRefused(unsigned, "no given key has signed", first);

        // when it has a key, and its audit is Avro
        start(Map.of("receipts.key.file", first.toString()));
        put("/v1/policies/namespace:signed", "{\"maxCount\":1}");
        Path ofJson = receiptOfSweep("shop/json", this::sendAsJson);
        Path ofAvro = receiptOfSweep("shop/avro", this::sendByRest);
        assertThat(values(ofAvro)).noneMatch(value -> value.startsWith("{"));

        // then, and also as people call it
        Verification ofSource = verify(List.of(VERIFIER.toString()), ofJson, first);
        assertThat(ofSource.exitCode()).as(ofSource.out()).isZero();
        assertThat(ofSource.out()).contains("VERIFIED: ");
        for (Path receipt : List.of(ofJson, ofAvro)) {
            assertProved(receipt, first);
            assertRefused(receipt, "no given key has signed", second);
        }

        // when the key is renewed
        start(Map.of("receipts.key.file", second.toString()));
        Path renewed = receiptOfSweep("shop/json", this::sendAsJson);
        Path both = receipt("shop/json");

        // then what the former key has signed stays proved by it
        assertProved(renewed, second);
        assertProved(renewed, second, first);
        assertRefused(renewed, "no given key has signed", first);
        assertProved(ofJson, first);
        assertProved(both, first, second);
        assertRefused(both, "no given key has signed", first);
        assertRefused(both, "no given key has signed", second);
        CommandRun verified = instance.run("audit", "verify", "--key", pub(first), "--key", pub(second));
        assertThat(verified.exitCode()).as(verified.toString()).isZero();
    }

    private void start(Map<String, String> further) throws Exception {
        if (instance != null) {
            instance.end();
        }
        instance = new InstanceProcess("receipts", folder, services.settingsFile(), services.with(further));
        instance.start().awaitReady();
    }

    private void makeKey(Path file) {
        CommandRun made = CommandRun.of("receipt", "key", file.toString(), "--name", "ebb.test/" + file.getFileName());
        assertThat(made.exitCode()).as(made.toString()).isZero();
    }

    private interface Sender {
        void send(String stream, int first) throws Exception;
    }

    /** Sends events of which all but the last go over the cap; returns the receipt of the newest sweep that took some. */
    private Path receiptOfSweep(String stream, Sender sender) throws Exception {
        int before = audit(stream).size();
        sender.send(stream, 10 * before);
        Await.until("a sweep of " + stream, () -> audit(stream).size() > before ? "" : "no deletes");
        String sweep = audit(stream).path(0).path("sweepId").asText();
        Path file = folder.resolve("sweep-" + stream.replace('/', '-') + before + ".json");
        awaitReceipt("--sweep", sweep, "-f", file.toString());
        return file;
    }

    private Path receipt(String stream) throws Exception {
        Path file = folder.resolve("stream.json");
        awaitReceipt(stream, "-f", file.toString());
        return file;
    }

    /** The checkpoint comes a second behind the deletes. */
    private void awaitReceipt(String... args) throws Exception {
        List<String> all = new ArrayList<>(List.of("receipt"));
        all.addAll(List.of(args));
        Await.until("the receipt " + all, () -> {
            CommandRun run = instance.run(all.toArray(String[]::new));
            return run.exitCode() == 0 ? "" : run.toString();
        });
    }

    private JsonNode audit(String stream) throws Exception {
        return instance.json("/v1/audit?stream=" + stream.replace("/", "%2F")).path("audit");
    }

    private void sendAsJson(String stream, int first) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, services.bootstrapServers());
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (int i = first; i < first + 3; i++) {
                producer.send(new ProducerRecord<>(services.topic("events"), stream, "{\"id\":\"e" + i + "\"}"));
            }
        }
    }

    private void sendByRest(String stream, int first) throws Exception {
        String events = "[{\"id\":\"e%d\"},{\"id\":\"e%d\"},{\"id\":\"e%d\"}]".formatted(first, first + 1, first + 2);
        int status = instance.post("/v1/streams/" + stream.replace("/", "%2F") + "/events", events)
                .statusCode();
        assertThat(status).isBetween(200, 299);
    }

    private void put(String path, String body) throws Exception {
        assertThat(instance.put(path, body).statusCode()).isBetween(200, 299);
    }

    /** It is proved by these keys, and a copy of it with one byte changed is not. */
    private void assertProved(Path receipt, Path... keys) throws Exception {
        Verification run = verify(receipt, keys);
        assertThat(run.exitCode()).as(run.out()).isZero();
        assertThat(run.out()).contains("VERIFIED: ", "cause: MAX_COUNT", "stream: shop/", "eventIds: [e");
        Verification ofAltered = verify(altered(receipt), keys);
        assertThat(ofAltered.exitCode()).as(ofAltered.out()).isEqualTo(1);
        assertThat(ofAltered.out()).contains("NOT VERIFIED").doesNotContain("cause: MAX_COUNT");
    }

    private void assertRefused(Path receipt, String why, Path... keys) throws Exception {
        Verification run = verify(receipt, keys);
        assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
        assertThat(run.out()).contains("NOT VERIFIED: ", why);
    }

    private Path altered(Path receipt) throws Exception {
        ObjectNode copy = (ObjectNode) JSON.readTree(receipt.toFile());
        ObjectNode changed = (ObjectNode) copy.path("records").path(0);
        byte[] value = Base64.getDecoder().decode(changed.path("value").asText());
        value[value.length - 1] ^= 1;
        changed.put("value", Base64.getEncoder().encodeToString(value));
        Path file = folder.resolve("altered-" + receipt.getFileName());
        JSON.writeValue(file.toFile(), copy);
        return file;
    }

    private static List<String> values(Path receipt) throws Exception {
        List<String> values = new ArrayList<>();
        JSON.readTree(receipt.toFile())
                .path("records")
                .forEach(record -> values.add(new String(
                        Base64.getDecoder().decode(record.path("value").asText()), StandardCharsets.ISO_8859_1)));
        assertThat(values).isNotEmpty();
        return values;
    }

    private record Verification(int exitCode, String out) {}

    /** Runs its classes, since from its source it is compiled each time. */
    private Verification verify(Path receipt, Path... keys) throws Exception {
        Path classes = folder.resolve("verifier");
        if (!Files.exists(classes)) {
            int compiled = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-d", classes.toString(), VERIFIER.toString());
            assertThat(compiled).isZero();
        }
        return verify(List.of("-cp", classes.toString(), "VerifyReceipt"), receipt, keys);
    }

    private static Verification verify(List<String> program, Path receipt, Path... keys) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(program);
        command.add(receipt.toString());
        for (Path key : keys) {
            command.add(pub(key));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Verification(process.waitFor(), out);
    }

    private static String pub(Path key) {
        return key + ".pub";
    }
}
