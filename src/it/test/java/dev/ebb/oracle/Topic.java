package dev.ebb.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics from their beginning to what is committed now. */
final class Topic implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<byte[], byte[]> consumer;

    Topic(String bootstrapServers) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", false);
        settings.put("max.poll.records", 5000);
        consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    int partitions(String topic) {
        return consumer.partitionsFor(topic).size();
    }

    /** Hands over each record; those of one partition in their order. */
    void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> taker) {
        List<TopicPartition> partitions = partitionsOf(topic);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
            consumer.poll(POLL).forEach(record -> {
                if (record.offset() < ends.get(new TopicPartition(record.topic(), record.partition()))) {
                    taker.accept(record);
                }
            });
        }
    }

    Map<TopicPartition, Long> ends(String topic) {
        return consumer.endOffsets(partitionsOf(topic));
    }

    private List<TopicPartition> partitionsOf(String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
    }

    /** The text of a header; empty if there is none. */
    static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), UTF_8);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
