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
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.TimestampType;
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
    public synchronized @Nullable Found find(String topic, int partition, long offset) {
        Consumer<byte[], byte[]> reader = reader();
        TopicPartition place = new TopicPartition(topic, partition);
        reader.assign(List.of(place));
        reader.seek(place, offset);
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < PATIENCE_NS) {
            try {
                for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                    return record.offset() == offset ? found(record) : null;
                }
            } catch (OffsetOutOfRangeException e) {
                return null;
            }
            if (reader.position(place) > offset) {
                return null;
            }
        }
        throw new TimeoutException("the record at " + place + "@" + offset + " did not come within 10 s");
    }

    private static Found found(ConsumerRecord<byte[], byte[]> record) {
        InputRecord input = new InputRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers());
        return new Found(input, record.timestampType() != TimestampType.LOG_APPEND_TIME);
    }

    private Consumer<byte[], byte[]> reader() {
        if (consumer == null) {
            Map<String, Object> settings = clients.properties();
            settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
            settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
            // One batch, at once: a fetch for more would still be under way when the next record is looked for, up to
            // 500 ms at the end of a partition, and a broker is asked one thing at a time.
            settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 0);
            settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1);
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
