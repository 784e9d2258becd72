package dev.ebb.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.EbbAvroDeserializer;
import dev.ebb.serde.text.PolicyJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A bad day of a running stack: while records come in and policies change, the broker, the application, PostgreSQL and
 * Connect die and come back. The results hold the events that are left at its end.
 */
final class Scenario {

    /** Number of deletes of the swept namespace that one run of the application commits before it is killed. */
    private static final int DELETES_BETWEEN_KILLS = 400;

    private final RunningStack stack;
    private final Load load;
    private final AvroRecords records;
    private final CommittedTopic audit;
    private final EbbAvroDeserializer avro = new EbbAvroDeserializer();
    private final List<Long> kills = new ArrayList<>();
    private long pidBeforeChange;
    private long pidAtFirstDeletes;
    private int deletesSeen;
    private int deletesSeenSinceKill;
    private int auditRecordsSeen;
    private int startsAtKill;

    /** Findings at the end, when no work was left. */
    record Results(
            Stored stored,
            Stored storedWithExpired,
            SqlTables sql,
            JsonNode status,
            Deletions deletions,
            List<GenericRecord> reports,
            List<ConsumerRecord<byte[], byte[]>> rejected) {}

    Scenario(RunningStack stack, Load load, AvroRecords records) {
        this.stack = stack;
        this.load = load;
        this.records = records;
        this.audit = stack.read(stack.topics().audit());
        avro.configure(
                Map.of("schema.registry.url", stack.services().endpoints().registryUrl()), false);
    }

    /** When the application was killed, epoch milliseconds. */
    List<Long> kills() {
        return kills;
    }

    /** Returns true if the process that got the new policy is the one that acted upon it. */
    boolean hasChangedPolicyWithoutRestart() {
        return pidBeforeChange == pidAtFirstDeletes;
    }

    Results run(Path folder) throws Exception {
        try (Producer<byte[], byte[]> producer = stack.kafka().clients().producer()) {
            setPolicies(producer, folder);
            sendWhileTheBrokerIsRestarted(producer);
            stack.services().postgres().stop();
            changePolicy();
            // Nothing may hold up the next kill: the sweep goes on meanwhile, and could be over before it.
            killInMidSweep();
            var sent = CompletableFuture.runAsync(() -> sendAll(producer, load.secondHalf()));
            var sql =
                    CompletableFuture.runAsync(() -> stack.services().postgres().start());
            killInMidSweep();
            stack.services().connect().kill();
            var connect = sql.thenRunAsync(() -> stack.services().connect().start());
            killInMidSweep();
            awaitStart();
            CompletableFuture.allOf(sent, connect).join();
        }
        return awaitQuiet();
    }

    private void setPolicies(Producer<byte[], byte[]> producer, Path folder) throws Exception {
        long begin = System.nanoTime();
        ObjectNode file = Json.object();
        var list = file.putArray("policies");
        LoadPolicies.ofFile().forEach(policy -> list.add(PolicyJson.write(policy)));
        Path path = Files.writeString(folder.resolve("policies.yaml"), Json.yaml(file));
        stack.command("policy", "apply", "-f", path.toString());
        RetentionPolicy bounded = LoadPolicies.bounded();
        stack.api().put(RestPath.of("v1", "policies", bounded.scope().toString()), PolicyJson.write(bounded));
        for (RetentionPolicy policy : LoadPolicies.ofProducer()) {
            byte[] key = policy.scope().toString().getBytes(UTF_8);
            producer.send(new ProducerRecord<>(stack.topics().policies(), key, records.policy(policy)))
                    .get();
        }
        int expected = LoadPolicies.all().size();
        Await.until(expected + " policies in force", () -> {
            int inForce = stack.status().path("policies").path("records").intValue();
            return inForce == expected ? "" : "only " + inForce + " are";
        });
        RunningStack.say("policies in force", begin);
    }

    private void sendWhileTheBrokerIsRestarted(Producer<byte[], byte[]> producer) throws Exception {
        long begin = System.nanoTime();
        int third = load.firstHalf().size() / 3;
        sendAll(producer, load.firstHalf().subList(0, third));
        stack.killBroker();
        // Not the other way round: a broker that stays away says why, the producer only that it waited in vain.
        var sent = CompletableFuture.runAsync(() -> sendAll(
                producer, load.firstHalf().subList(third, load.firstHalf().size())));
        stack.startBroker();
        sent.get();
        RunningStack.say(load.firstHalf().size() + " records sent while the broker was killed and started", begin);
        long shifted = load.model().streams().entrySet().stream()
                .filter(stream -> stream.getKey().startsWith("shift/"))
                .mapToLong(stream -> stream.getValue().events.size())
                .sum();
        Await.until(shifted + " events stored in the namespace that is swept next", () -> {
            long stored = stack.status()
                    .path("namespaces")
                    .path("shift")
                    .path("events")
                    .longValue();
            return stored == shifted ? "" : "only " + stored + " are";
        });
        RunningStack.say("they are stored", begin);
    }

    private static void sendAll(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> batch) {
        var sent = batch.stream().map(producer::send).toList();
        producer.flush();
        sent.forEach(future -> {
            try {
                future.get();
            } catch (Exception e) {
                throw new AssertionError("the broker did not take a record", e);
            }
        });
    }

    private void changePolicy() throws Exception {
        pidBeforeChange = stack.pidOfApp();
        stack.command("policy", "set", "namespace:shift", "--max-age", "1h", "--reason", "too many");
        load.model().policy(LoadPolicies.shiftAfter());
        awaitDeletesSinceKill(1);
        pidAtFirstDeletes = stack.pidOfApp();
    }

    /** Waits until deletes of the sweep that runs are committed, and kills the application, which starts again. */
    private void killInMidSweep() throws Exception {
        awaitDeletesSinceKill(DELETES_BETWEEN_KILLS);
        startsAtKill = stack.startsOfApp();
        stack.killApp();
        kills.add(System.currentTimeMillis());
        System.out.println("RetentionIT: killed after " + deletesSeen + " deletes of the namespace");
        deletesSeenSinceKill = 0;
    }

    private void awaitStart() throws Exception {
        Await.until(
                "the application started again after kill -9", () -> stack.startsOfApp() > startsAtKill ? "" : "it");
    }

    private void awaitDeletesSinceKill(int count) throws Exception {
        Await.until(count + " deletes committed in the namespace whose policy changed", () -> {
            List<ConsumerRecord<byte[], byte[]>> all = audit.read();
            all.subList(auditRecordsSeen, all.size()).forEach(this::countDeletes);
            auditRecordsSeen = all.size();
            return deletesSeenSinceKill >= count ? "" : "only " + deletesSeenSinceKill + " are";
        });
    }

    private void countDeletes(ConsumerRecord<byte[], byte[]> record) {
        GenericRecord why = (GenericRecord) avro.deserialize(record.topic(), record.value());
        if ("namespace:shift".equals(why.get("scope").toString())) {
            int deletes = ((List<?>) why.get("eventIds")).size();
            deletesSeen += deletes;
            // Deletes that were committed just before the kill are seen only after it, and say nothing of a sweep that
            // runs now.
            if (kills.isEmpty() || record.timestamp() > kills.get(kills.size() - 1)) {
                deletesSeenSinceKill += deletes;
            }
        }
    }

    private Results awaitQuiet() throws Exception {
        long begin = System.nanoTime();
        Instant since = Instant.now();
        Await.until("that nothing is left to be done", () -> Quiet.missing(stack.status(), stack.topics(), since));
        RunningStack.say("quiet", begin);
        Results[] results = new Results[1];
        Await.until("stores and SQL to agree", () -> {
            results[0] = results();
            return Differences.between(
                    "stores",
                    results[0].stored().events(),
                    "SQL",
                    results[0].sql().events());
        });
        RunningStack.say("stores and SQL agree", begin);
        return results[0];
    }

    private Results results() throws Exception {
        try (Connection sql = stack.sql();
                CommittedTopic mirror = stack.read(stack.topics().mirrorEvents());
                CommittedTopic reports = stack.read(stack.topics().reports());
                CommittedTopic rejected = stack.read(stack.topics().rejected())) {
            return new Results(
                    Stored.read(stack.api(), false),
                    Stored.read(stack.api(), true),
                    SqlTables.read(sql),
                    stack.status(),
                    Deletions.of(mirror.read(), audit.read(), avro),
                    reports.read().stream()
                            .map(report -> (GenericRecord) avro.deserialize(report.topic(), report.value()))
                            .toList(),
                    List.copyOf(rejected.read()));
        }
    }
}
