package dev.ebb.runtime.writes;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.port.EventWriter.TooBigException;
import dev.ebb.port.UnavailableException;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Sends commands to their topic, each under its key: a command about a single stream goes to the partition of that
 * stream, most others to any partition. Thread-safe.
 */
public record KafkaCommandPublisher(
        Producer<byte[], byte[]> producer,
        Topics topics,
        int maxBytes,
        RecordWriter writer,
        Supplier<PolicyEdition> knownPolicies)
        implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /**
     * @param writer writes the records; must be prepared
     * @param knownPolicies returns the policies that this instance has seen, see {@code PolicyView#reflected}; of a
     *     negative version if they are unknown
     */
    public KafkaCommandPublisher(
            KafkaClients clients, EbbConfig config, RecordWriter writer, Supplier<PolicyEdition> knownPolicies) {
        this(
                clients.impatientProducer("commands"),
                TopicPlan.topics(config),
                config.get(Settings.RECORD_MAX_BYTES),
                writer,
                knownPolicies);
    }

    /**
     * Sends the command; returns when the broker has it.
     *
     * @throws UnavailableException if the broker did not take the command
     * @throws TooBigException if the record would exceed the size limit
     */
    public void send(CommandRequest request) {
        byte[] value = writer.command(request);
        if (value.length > maxBytes) {
            throw new TooBigException("the command has " + value.length + " bytes; the limit is " + maxBytes);
        }
        send(request.commandId(), record(request.key(), value));
    }

    /** Returns the partition to which the command goes. */
    public int partitionOf(CommandRequest request) {
        return StreamPartition.of(request.key(), topics.partitions());
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }

    /** An unacknowledged command may have been written all the same; under its id it is carried out once. */
    private void send(String commandId, ProducerRecord<byte[], byte[]> record) {
        try {
            producer.send(record).get();
        } catch (KafkaException | ExecutionException e) {
            String what = "the broker did not accept the command; send it again under its id '" + commandId + "'";
            throw new UnavailableException(what, e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** The partition is named, so that no setting of producers can lead a command away from its stream. */
    private ProducerRecord<byte[], byte[]> record(StreamName key, byte[] value) {
        int partition = StreamPartition.of(key, topics.partitions());
        var record =
                new ProducerRecord<>(topics.commands(), partition, key.value().getBytes(StandardCharsets.UTF_8), value);
        PolicyEdition known = knownPolicies.get();
        if (known.version() >= 0) {
            // The caller may have just seen a policy in force here that the instance which leads the command has not
            // seen yet.
            EbbHeaders.set(record.headers(), EbbHeaders.KNOWN_POLICIES, known.version());
            EbbHeaders.set(record.headers(), EbbHeaders.LATE_CHANGES, known.lateChanges());
        }
        return record;
    }
}
