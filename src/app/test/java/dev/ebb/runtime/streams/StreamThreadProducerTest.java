package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Without {@code initTransactions} Kafka's producer refuses every transaction, so what it refuses has begun. */
@Tag("A-6")
class StreamThreadProducerTest {

    private final StreamThreadProducer producer = new StreamThreadProducer(Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1",
            ProducerConfig.TRANSACTIONAL_ID_CONFIG, "thread"));

    @AfterEach
    void close() {
        producer.close(Duration.ZERO);
    }

    @Test
    void shouldBeginNoTransactionThatSaysNothing() {
        assertThatCode(() -> {
                    producer.beginTransaction();
                    producer.commitTransaction();
                    producer.beginTransaction();
                    producer.abortTransaction();
                })
                .doesNotThrowAnyException();
    }

    @Test
    void shouldBeginWithTheFirstRecord() {
        // given
        producer.beginTransaction();

        // then
        assertThatIllegalStateException().isThrownBy(() -> producer.send(new ProducerRecord<>("mirror", new byte[1])));
    }

    @Test
    void shouldBeginWithTheFirstOffsets() {
        // given
        producer.beginTransaction();

        // then
        assertThatIllegalStateException()
                .isThrownBy(() -> producer.sendOffsetsToTransaction(
                        Map.of(new TopicPartition("events", 0), new OffsetAndMetadata(1)),
                        new ConsumerGroupMetadata("group")));
    }
}
