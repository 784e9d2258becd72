package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.BoundedConsumer;
import dev.ebb.topology.wire.RecordLimits;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients that Kafka Streams would make itself, but for the {@link BoundedConsumer}s of topics that others write as
 * well, and producers that commit nothing without a reason. With the streams protocol it makes the consumer of a thread in any case. Thread-safe.
 */
public class StreamsClients implements KafkaClientSupplier {

    private final RecordLimits limits;

    /** @param limits limits of the size of records */
    public StreamsClients(RecordLimits limits) {
        this.limits = limits;
    }

    /** Limits of the size of records. */
    protected final RecordLimits limits() {
        return limits;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new StreamThreadProducer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new StreamThreadConsumer(config, limits);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return new GlobalConsumer(config, limits);
    }
}
