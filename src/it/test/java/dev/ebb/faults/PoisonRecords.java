package dev.ebb.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.it.Await;
import dev.ebb.it.CommittedTopic;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Unusable events and policies, while Ebb runs and while it starts. Each goes to the rejected topic as it was, its
 * neighbours flow on, and the last good policy stays. A negative Kafka timestamp is not among them: no client sends
 * one.
 */
final class PoisonRecords implements Fault {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String STREAM = "flow/poisoned";
    private static final int UNKNOWN_SCHEMA_ID = 987_654;

    @Override
    public String name() {
        return "poison";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        try (CommittedTopic rejected = new CommittedTopic(
                stack.services().endpoints().bootstrapServers(), stack.topics().rejected())) {
            JsonNode policy = policy(stack);
            int before = rejected.read().size();
            int sent = send(stack);
            awaitRejected(rejected, before + sent);
            run.round();
            for (Instance instance : stack.instances()) {
                instance.stop();
            }
            sent += send(stack);
            stack.awaitReady();
            awaitRejected(rejected, before + sent);
            if (!policy(stack).equals(policy)) {
                throw new AssertionError("in force was " + policy + ", is " + policy(stack));
            }
            run.round();
            run.remark(sent + " records set aside");
        }
    }

    private static JsonNode policy(FaultStack stack) throws IOException, InterruptedException {
        JsonNode policy =
                Rest.get(stack.any().url(), "/v1/policies/namespace:flow").body();
        if (!policy.path("policy").path("maxAge").asText().equals("8s")) {
            throw new AssertionError("the policy of the load is not in force: " + policy);
        }
        return policy;
    }

    private static void awaitRejected(CommittedTopic rejected, int expected) throws InterruptedException {
        Await.until("all poison is set aside", LIMIT, () -> {
            int found = rejected.read().size();
            return found == expected ? "" : "rejected are " + found + " of " + expected;
        });
    }

    /** Returns how many of what was sent is to be rejected. */
    private static int send(FaultStack stack) {
        List<byte[]> events = events(stack);
        events.forEach(value ->
                stack.load().send(new ProducerRecord<>(stack.topics().events(), STREAM.getBytes(UTF_8), value)));
        byte[] good = event(stack, Map.of("stream", STREAM, "id", "good-" + System.nanoTime()));
        stack.load().send(new ProducerRecord<>(stack.topics().events(), null, good));
        stack.load().send(new ProducerRecord<>(stack.topics().events(), "another".getBytes(UTF_8), good));
        List<Map.Entry<String, byte[]>> policies = policies(stack);
        policies.forEach(policy -> stack.load()
                .send(new ProducerRecord<>(
                        stack.topics().policies(), policy.getKey().getBytes(UTF_8), policy.getValue())));
        return events.size() + policies.size();
    }

    private static List<byte[]> events(FaultStack stack) {
        byte[] good = event(stack, Map.of("stream", STREAM, "id", "bad"));
        byte[] unknown = good.clone();
        ByteBuffer.wrap(unknown).putInt(1, UNKNOWN_SCHEMA_ID);
        byte[] magic = good.clone();
        magic[0] = 7;
        byte[] noUtf8 = good.clone();
        noUtf8[7] = (byte) 0xFF;
        List<byte[]> bad = new ArrayList<>(Arrays.asList(
                magic, unknown, noUtf8, new byte[0], new byte[] {0, 0, 0}, Arrays.copyOf(good, good.length - 3), null));
        bad.add(Arrays.copyOf(good, good.length + 2));
        bad.add(policy(stack, Map.of("scope", "*")));
        long now = System.currentTimeMillis();
        for (Map<String, Object> fields : List.<Map<String, Object>>of(
                Map.of("stream", ""),
                Map.of("stream", " " + STREAM),
                Map.of("stream", "flow/\u0000"),
                Map.of("stream", "s".repeat(256)),
                Map.of("id", ""),
                Map.of("id", "line\nbreak"),
                Map.of("id", "é".repeat(128)),
                Map.of("occurredAt", -1L),
                Map.of("occurredAt", now + Duration.ofHours(2).toMillis()),
                Map.of("completedAt", Long.MAX_VALUE),
                Map.of("ttlSeconds", 0L),
                Map.of("ttlSeconds", Long.MIN_VALUE),
                Map.of("expiresAt", -5L),
                Map.of("noExpiration", true, "ttlSeconds", 5L),
                Map.of("execution", -1L))) {
            GenericRecordBuilder event = new GenericRecordBuilder(schema("Event"));
            event.set("stream", STREAM).set("id", "bad");
            fields.forEach(event::set);
            bad.add(stack.records().encode(event.build()));
        }
        return bad;
    }

    /** Most stand under the key of a good one, which they must not replace. */
    private static List<Map.Entry<String, byte[]>> policies(FaultStack stack) {
        String scope = "namespace:flow";
        List<Map.Entry<String, byte[]>> bad = new ArrayList<>();
        byte[] good = policy(stack, Map.of("scope", scope, "maxAge", "1ms"));
        for (byte[] bytes : List.of(
                new byte[] {1, 2, 3},
                new byte[0],
                Arrays.copyOf(good, 7),
                event(stack, Map.of("stream", STREAM, "id", "bad")))) {
            bad.add(Map.entry(scope, bytes));
        }
        for (Map<String, Object> fields : List.<Map<String, Object>>of(
                Map.of("maxAge", "-5s"),
                Map.of("maxAge", "0s"),
                Map.of("maxAge", "a while"),
                Map.of("maxAge", "999999999999999999d"),
                Map.of("maxCount", 0L),
                Map.of("maxCount", -1L),
                Map.of("maxBytes", "many"),
                Map.of("keepLast", 0L),
                Map.of("minTtl", "2d", "maxTtl", "1d"),
                Map.of("minAge", "2d", "maxAge", "1d"),
                Map.of("window", "10:00-10:00 Europe/Berlin"),
                Map.of("window", "22:00-06:00 Mars/Base"),
                Map.of("anchor", "born"),
                Map.of("mode", "perhaps"),
                Map.of("scope", "namespace:other", "maxAge", "1ms"))) {
            bad.add(Map.entry(scope, policy(stack, with("scope", scope, fields))));
        }
        bad.add(Map.entry("planet:mars", policy(stack, Map.of("scope", "planet:mars", "maxAge", "1ms"))));
        bad.add(Map.entry("stream:flow/1", policy(stack, Map.of("scope", "stream:flow/1", "pattern", "cache"))));
        bad.add(Map.entry("*", policy(stack, Map.of("scope", "*", "maxAge", "-1ms"))));
        return bad;
    }

    private static Map<String, Object> with(String field, Object value, Map<String, Object> fields) {
        Map<String, Object> all = new java.util.HashMap<>(Map.of(field, value));
        all.putAll(fields);
        return all;
    }

    private static byte[] event(FaultStack stack, Map<String, Object> fields) {
        return encode(stack, "Event", fields);
    }

    private static byte[] policy(FaultStack stack, Map<String, Object> fields) {
        return encode(stack, "RetentionPolicy", fields);
    }

    private static byte[] encode(FaultStack stack, String schema, Map<String, Object> fields) {
        GenericRecordBuilder record = new GenericRecordBuilder(schema(schema));
        fields.forEach(record::set);
        return stack.records().encode(record.build());
    }

    static Schema schema(String name) {
        try {
            File file = Path.of("schemas", name + ".avsc").toFile();
            return new Schema.Parser().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
