package dev.ebb.runtime.writes;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.serde.text.SourceJson;
import dev.ebb.topology.gate.ChangeSize;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Sends policies and holds to the topic of policies. All records of a call are marked as belonging together and come
 * into force at once. Several records are one transaction, one call at a time. A single record needs no transaction: it
 * is sent at once, beside all others, so that a hold waits behind no other record. Thread-safe.
 */
public final class KafkaPolicyPublisher implements AutoCloseable {

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final SharedProducer singles;
    private final Object sending = new Object();
    private final RecordWriter writer;
    private final String topic;
    private final int maxBytes;

    /** @param writer writes the records; must be prepared */
    public KafkaPolicyPublisher(KafkaClients clients, EbbConfig config, RecordWriter writer) {
        // An id of this object alone: two producers that share one would fence each other.
        this(
                producers(clients, config),
                () -> clients.impatientProducer("policy"),
                TopicPlan.topics(config).policies(),
                config.get(Settings.RECORD_MAX_BYTES),
                writer);
    }

    /**
     * @param producers creates a producer for each transaction
     * @param ofSingles creates the producer for all single records
     * @param maxBytes size in bytes of the biggest record that the broker takes
     */
    KafkaPolicyPublisher(
            Supplier<Producer<byte[], byte[]>> producers,
            Supplier<Producer<byte[], byte[]>> ofSingles,
            String topic,
            int maxBytes,
            RecordWriter writer) {
        this.producers = producers;
        this.singles = new SharedProducer(ofSingles);
        this.topic = topic;
        this.maxBytes = maxBytes;
        this.writer = writer;
    }

    /**
     * Sends the change, which must not be empty.
     *
     * @return the offset of the last record
     * @throws PolicyAdmin.TooBigException if the change is too big for an assessment by the brake; nothing was sent
     * @throws KafkaException if the broker did not take all records; then none of them counts
     */
    public long publish(PolicyBatch change) {
        Map<String, byte @Nullable []> values = new LinkedHashMap<>();
        change.policies()
                .forEach(policy -> values.put(PolicyKey.of(policy.scope()).toString(), writer.policy(policy)));
        change.holds().forEach(hold -> values.put(hold.key().toString(), writer.hold(hold)));
        change.sources()
                .forEach(source -> values.put(
                        PolicyKey.ofSource(source.name()).toString(),
                        utf8(SourceJson.write(source).toString())));
        change.removals().stream().sorted().forEach(key -> values.put(key.toString(), null));
        String tooBig = ChangeSize.problem(writer, values, maxBytes);
        if (tooBig != null) {
            throw new PolicyAdmin.TooBigException(tooBig);
        }
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        values.forEach((key, value) -> records.add(new ProducerRecord<>(topic, utf8(key), value)));
        mark(records);
        PolicyEdition base = change.base();
        if (base != null) {
            records.forEach(record -> EbbHeaders.setBase(record.headers(), base));
        }
        sign(records, EbbHeaders.ACTOR, change.actor());
        sign(records, EbbHeaders.REASON, change.reason());
        return sendAll(records);
    }

    /**
     * Confirms a change that the brake holds back (O-8).
     *
     * @param version the version of the change that waits
     * @param told the finding that the person saw: if it is an exact number, the confirmation covers no larger one;
     *     null if the change was not counted
     * @param records the number of records that the person saw waiting under that version
     * @param actor the person who confirms the change; empty if unknown
     * @param reason the reason for the confirmation; empty if unknown
     * @return the offset of the confirmation
     * @throws KafkaException if the broker did not take the confirmation
     */
    public long confirm(
            PolicyKey key, long version, @Nullable BrakeFinding told, long records, String actor, String reason) {
        var confirmation = new ProducerRecord<byte[], byte[]>(topic, utf8(EbbHeaders.CONFIRM + key), null);
        List<ProducerRecord<byte[], byte[]>> order = List.of(confirmation);
        sign(order, EbbHeaders.CONFIRM_VERSION, Long.toString(version));
        sign(order, EbbHeaders.CONFIRM_RECORDS, Long.toString(records));
        if (told != null && !told.isAtLeast()) {
            sign(order, EbbHeaders.CONFIRM_COUNT, Long.toString(told.wouldDelete()));
        }
        sign(order, EbbHeaders.ACTOR, actor);
        sign(order, EbbHeaders.REASON, reason);
        return sendAll(order);
    }

    /**
     * Has a record dropped that the gate cannot read.
     *
     * @param version the offset of the only record to drop; negative for any waiting record
     * @return the offset of the order
     * @throws KafkaException if the broker did not take the order
     */
    public long dropUnread(String key, long version, String actor, String reason) {
        var order = new ProducerRecord<byte[], byte[]>(topic, utf8(EbbHeaders.DROP + key), null);
        List<ProducerRecord<byte[], byte[]>> records = List.of(order);
        if (version >= 0) {
            sign(records, EbbHeaders.DROP_VERSION, Long.toString(version));
        }
        sign(records, EbbHeaders.ACTOR, actor);
        sign(records, EbbHeaders.REASON, reason);
        return sendAll(records);
    }

    /** Closes the producer; records that the broker has not taken by then are not sent. */
    @Override
    public void close() {
        singles.close();
    }

    private long sendAll(List<ProducerRecord<byte[], byte[]>> records) {
        if (records.size() == 1) {
            return singles.send(records.get(0));
        }
        synchronized (sending) {
            try (Producer<byte[], byte[]> producer = producers.get()) {
                producer.initTransactions();
                producer.beginTransaction();
                return send(producer, records);
            }
        }
    }

    /** Closing the producer aborts what was not committed. */
    private static long send(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records) {
        try {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            records.forEach(record -> sent.add(producer.send(record)));
            producer.commitTransaction();
            return sent.get(sent.size() - 1).get().offset();
        } catch (ExecutionException e) {
            throw new KafkaException("the policies were not sent", e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static void mark(List<ProducerRecord<byte[], byte[]>> records) {
        byte[] id = utf8(UUID.randomUUID().toString());
        byte[] count = utf8(Integer.toString(records.size()));
        records.forEach(record -> record.headers().add(EbbHeaders.APPLY_ID, id).add(EbbHeaders.APPLY_COUNT, count));
    }

    private static void sign(List<ProducerRecord<byte[], byte[]>> records, String header, String text) {
        if (!text.isEmpty()) {
            records.forEach(record -> record.headers().add(header, utf8(text)));
        }
    }

    private static Supplier<Producer<byte[], byte[]>> producers(KafkaClients clients, EbbConfig config) {
        String transactionalId = config.get(Settings.APPLICATION_ID) + "-policies-" + UUID.randomUUID();
        return () -> clients.transactionalProducer(transactionalId);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
