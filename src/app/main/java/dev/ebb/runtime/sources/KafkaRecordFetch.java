package dev.ebb.runtime.sources;

import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.source.RecordFetch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Finds records by their places, one at a time, with a consumer of its own that leaves out no bytes of a record. It is
 * made when the first record is looked for. Thread-safe.
 */
public final class KafkaRecordFetch implements RecordFetch, AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    /** Less than the timeout of the transaction that waits. */
    private static final long PATIENCE_NS = Duration.ofSeconds(10).toNanos();

    private final KafkaClients clients;
    private @Nullable Consumer<byte[], byte[]> consumer;

    public KafkaRecordFetch(KafkaClients clients) {
        this.clients = clients;
    }

    @Override
    public synchronized @Nullable InputRecord find(String topic, int partition, long offset) {
        Consumer<byte[], byte[]> reader = reader();
        TopicPartition place = new TopicPartition(topic, partition);
        reader.assign(List.of(place));
        if (reader.beginningOffsets(List.of(place)).getOrDefault(place, 0L) > offset) {
            return null;
        }
        reader.seek(place, offset);
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < PATIENCE_NS) {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                return record.offset() == offset ? input(record) : null;
            }
            if (reader.position(place) > offset) {
                return null;
            }
        }
        throw new TimeoutException("the record at " + place + "@" + offset + " did not come within 10 s");
    }

    private static InputRecord input(ConsumerRecord<byte[], byte[]> record) {
        return new InputRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers());
    }

    private Consumer<byte[], byte[]> reader() {
        if (consumer == null) {
            Map<String, Object> settings = clients.properties();
            settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
            settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
            consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }
        return consumer;
    }

    @Override
    public synchronized void close() {
        if (consumer != null) {
            consumer.close();
        }
    }
}
