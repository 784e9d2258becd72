package dev.ebb.it;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/** Records of a topic from its beginning, of committed transactions only; within a partition in order. */
public final class CommittedTopic implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(50);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

    public CommittedTopic(String bootstrapServers, String topic) {
        this(bootstrapServers, topic, new ByteArrayDeserializer());
    }

    private CommittedTopic(String bootstrapServers, String topic, Deserializer<byte[]> values) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                values);
        partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** For big records, of which only the headers are looked at. */
    public static CommittedTopic withoutValues(String bootstrapServers, String topic) {
        return new CommittedTopic(bootstrapServers, topic, new Deserializer<>() {
            @Override
            public byte[] deserialize(String from, byte[] data) {
                return new byte[0];
            }

            @Override
            public byte[] deserialize(String from, Headers headers, ByteBuffer data) {
                // The name and the value of each keep the whole record until they are looked at.
                headers.forEach(header -> {
                    header.key();
                    header.value();
                });
                return new byte[0];
            }
        });
    }

    /** Everything that is committed now; the same list each time, with what came since. */
    public List<ConsumerRecord<byte[], byte[]>> read() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
            consumer.poll(POLL).forEach(records::add);
        }
        return records;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
