package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.Audience;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KafkaRecordLogTest {

    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

    @BeforeEach
    void prepare() {
        Node[] nodes = {};
        consumer.updatePartitions("t", List.of(new PartitionInfo("t", 0, Node.noNode(), nodes, nodes)));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 3L));
        consumer.updateEndOffsets(Map.of(PARTITION, 9L));
    }

    @Test
    void shouldReadFromOneOffsetToAnother() {
        // given
        records(3, 4, 5, 6, 7, 8);
        KafkaRecordLog log = KafkaRecordLog.open(consumer, "t");

        // when
        RecordLog.Piece piece = log.read(0, 4, 7, System.nanoTime() + 10_000_000_000L);

        // then
        assertThat(piece.first()).isEqualTo(4);
        assertThat(piece.records()).extracting(ConsumerRecord::offset).containsExactly(4L, 5L, 6L);
        assertThat(log.begins()).containsExactly(Map.entry(0, 3L));
        assertThat(log.ends()).containsExactly(Map.entry(0, 9L));
    }

    @Test
    void shouldGiveUpAtTheDeadline() {
        // given
        KafkaRecordLog log = KafkaRecordLog.open(consumer, "t");

        // then
        assertThatThrownBy(() -> log.read(0, 4, 7, System.nanoTime() - 1))
                .isInstanceOf(RecordLog.TimeUpException.class);
    }

    @Test
    void shouldGiveUpWhenNobodyWaits() {
        // given
        KafkaRecordLog log = KafkaRecordLog.open(consumer, "t");
        AtomicInteger looks = new AtomicInteger();

        // then: nothing comes, and the deadline is far away
        assertThatThrownBy(() -> Audience.during(
                        () -> looks.incrementAndGet() < 3,
                        () -> log.read(0, 4, 7, System.nanoTime() + 10_000_000_000L)))
                .isInstanceOf(Audience.GoneException.class);
        assertThat(looks).hasValue(3);
    }

    @Test
    void shouldCloseItsConsumer() {
        // given
        KafkaRecordLog log = KafkaRecordLog.open(consumer, "t");

        // when
        log.close();

        // then
        assertThat(consumer.closed()).isTrue();
    }

    private void records(long... offsets) {
        consumer.schedulePollTask(() -> {
            for (long offset : offsets) {
                consumer.addRecord(new ConsumerRecord<>("t", 0, offset, new byte[0], new byte[10]));
            }
        });
    }
}
