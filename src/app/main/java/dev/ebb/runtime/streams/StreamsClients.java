package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.BoundedConsumer;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.topology.wire.RecordLimits;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients that Kafka Streams would create itself, except for {@link BoundedConsumer}s for topics that others write
 * as well, and producers that commit only with a reason and report to the stores what they have committed. With the
 * streams protocol, Kafka Streams creates the consumer of a thread itself in any case. Thread-safe.
 */
public class StreamsClients implements KafkaClientSupplier {

    private final RecordLimits limits;
    private final CommittedOffsets offsets;
    private final Set<String> eventTopics;

    /** Weak references, since nothing else refers to closed consumers. */
    private final Set<PatientConsumer> patient =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /**
     * @param limits limits of the size of records
     * @param offsets receives the committed offsets of changelogs
     * @param topics names of the topics
     */
    public StreamsClients(RecordLimits limits, CommittedOffsets offsets, Topics topics) {
        this.limits = limits;
        this.offsets = offsets;
        this.eventTopics = Set.of(topics.events(), topics.rekey());
    }

    /** Returns the limits of the size of records. */
    protected final RecordLimits limits() {
        return limits;
    }

    /** Returns the topics of events, of which a few a second are taken several at a time. */
    protected final Set<String> eventTopics() {
        return eventTopics;
    }

    /** Returns the committed offsets of changelogs, as producers report them. */
    protected final CommittedOffsets offsets() {
        return offsets;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new ChangelogProducer(config, offsets);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return patient(new StreamThreadConsumer(config, limits, eventTopics));
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return patient(new GlobalConsumer(config, limits));
    }

    /** Ends long waits of consumers before their threads are stopped. */
    public void hurry() {
        List.copyOf(patient).forEach(PatientConsumer::hurry);
    }

    /** Registers a consumer to be told when it must no longer wait. */
    protected final <C extends PatientConsumer> C patient(C consumer) {
        patient.add(consumer);
        return consumer;
    }

    /**
     * The consumer of the policies in force. Its thread only takes records, for which it wakes at once, so it waits as
     * long
     * as the broker does.
     */
    private static final class GlobalConsumer extends PatientConsumer {

        GlobalConsumer(Map<String, Object> config, RecordLimits limits) {
            super(config, limits);
        }

        @Override
        Duration waitFor(Duration asked) {
            return asked.compareTo(KafkaClients.FOLLOWING) < 0 ? KafkaClients.FOLLOWING : asked;
        }

        @Override
        public void close() {
            close(KafkaClients.AT_ONCE);
        }
    }
}
