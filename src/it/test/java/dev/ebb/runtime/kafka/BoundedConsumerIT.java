package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.SharedStack;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over a real broker: what Kafka's consumer does with a record that ends a poll is not written down anywhere. */
@Tag("O-20")
@Timeout(120)
class BoundedConsumerIT {

    private static final int RECORDS = 100;
    private static final int VALUE_BYTES = 1_000_000;
    private static final int LIMIT = 1024 * 1024;

    private final EbbConfig config = SharedStack.config(Map.of());
    private final String topic = config.get(Settings.TOPICS_PREFIX) + "bounded";

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void shouldReadEachRecordOnceAndInOrderAndNeverTooMuchAtOnce(String protocol) throws Exception {
        // given a hundred megabytes in a batch of some kilobytes, and one that is left out among them
        createTopic();
        send();

        // when
        List<Long> offsets = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        long most = 0;
        try (Consumer<byte[], byte[]> consumer = consumer(protocol)) {
            consumer.subscribe(List.of(topic));
            while (offsets.size() < RECORDS + 1) {
                long bytes = 0;
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    offsets.add(record.offset());
                    sizes.add(record.value().length);
                    bytes += record.value().length;
                }
                most = Math.max(most, bytes);
            }
            assertThat(consumer.position(new TopicPartition(topic, 0))).isEqualTo(RECORDS + 1);
        }

        // then
        assertThat(offsets)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(0, RECORDS).boxed().toList());
        assertThat(sizes.get(RECORDS / 2)).isZero();
        assertThat(sizes).filteredOn(size -> size == VALUE_BYTES).hasSize(RECORDS);
        assertThat(most).isBetween((long) VALUE_BYTES, PollBound.POLL_BYTES);
    }

    private void createTopic() throws Exception {
        try (Admin admin = new KafkaClients(config).admin()) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.of(1), Optional.empty())))
                    .all()
                    .get();
        }
    }

    private void send() {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                config.get(Settings.BOOTSTRAP_SERVERS),
                "compression.type",
                "zstd",
                "max.request.size",
                64 << 20,
                "batch.size",
                16 << 20,
                "linger.ms",
                100);
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i <= RECORDS; i++) {
                byte[] value = new byte[i == RECORDS / 2 ? 10 * VALUE_BYTES : VALUE_BYTES];
                producer.send(new ProducerRecord<>(topic, 0, i % 2 == 0 ? null : new byte[] {1}, value));
            }
        }
    }

    private Consumer<byte[], byte[]> consumer(String protocol) {
        Map<String, Object> settings = new KafkaClients(config).properties();
        settings.put("group.id", topic + protocol);
        settings.put("group.protocol", protocol);
        settings.put("auto.offset.reset", "earliest");
        return new BoundedConsumer(settings, new RecordLimits(LIMIT));
    }
}
