package dev.ebb.runtime.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.http.Audience;
import dev.ebb.runtime.history.RecordLog.Piece;
import dev.ebb.runtime.history.RecordLog.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-17")
class KafkaRecordLogTest {

    private static final int PARTITIONS = 16;

    private final PolledConsumer consumer = new PolledConsumer();
    private final WarmReaders readers = new WarmReaders(() -> consumer, 1, Duration.ofSeconds(1));

    @BeforeEach
    void prepare() {
        Node[] nodes = {};
        List<PartitionInfo> infos = new ArrayList<>();
        Map<TopicPartition, Long> begins = new HashMap<>();
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            infos.add(new PartitionInfo("t", partition, Node.noNode(), nodes, nodes));
            begins.put(new TopicPartition("t", partition), 3L);
            ends.put(new TopicPartition("t", partition), 9L);
        }
        consumer.updatePartitions("t", infos);
        consumer.updateBeginningOffsets(begins);
        consumer.updateEndOffsets(ends);
    }

    @AfterEach
    void close() {
        readers.close();
    }

    @Test
    void shouldReadFromOneOffsetToAnother() {
        // given
        records(10, 3, 4, 5, 6, 7, 8);
        RecordLog log = open();

        // when
        Piece piece = log.read(Map.of(0, new Span(4, 7)), inTime()).get(0);

        // then
        assertThat(piece.first()).isEqualTo(4);
        assertThat(piece.records()).extracting(ConsumerRecord::offset).containsExactly(4L, 5L, 6L);
        assertThat(log.begins()).containsEntry(0, 3L).hasSize(PARTITIONS);
        assertThat(log.ends()).containsEntry(0, 9L).hasSize(PARTITIONS);
    }

    @Test
    void shouldReadAllPartitionsWithOnePoll() {
        // given
        records(10, 3, 4, 5, 6, 7, 8);
        Map<Integer, Span> spans = new HashMap<>();
        IntStream.range(0, PARTITIONS).forEach(partition -> spans.put(partition, new Span(5, 9)));

        // when
        Map<Integer, Piece> pieces = open().read(spans, inTime());

        // then
        assertThat(consumer.polls).isEqualTo(1);
        assertThat(pieces).hasSize(PARTITIONS);
        assertThat(pieces.values()).allSatisfy(piece -> assertThat(piece.records())
                .extracting(ConsumerRecord::offset)
                .containsExactly(5L, 6L, 7L, 8L));
        assertThat(consumer.paused()).hasSize(PARTITIONS);
    }

    @Test
    void shouldReadOnWhereItHadPaused() {
        // given
        records(10, 3, 4, 5, 6, 7, 8);
        RecordLog log = open();
        log.read(Map.of(0, new Span(6, 9)), inTime());
        records(10, 3, 4, 5);

        // when
        Piece piece = log.read(Map.of(0, new Span(3, 6)), inTime()).get(0);

        // then
        assertThat(piece.records()).extracting(ConsumerRecord::offset).containsExactly(3L, 4L, 5L);
    }

    @Test
    void shouldHoldTheNewestRecordsThatFit() {
        // given: a sixteenth of 8 MiB for each partition
        records(300 << 10, 3, 4, 5, 6, 7, 8);

        // when
        Map<Integer, Piece> pieces = open().read(Map.of(0, new Span(3, 9), 1, new Span(8, 9)), inTime());

        // then
        assertThat(pieces.get(0).first()).isEqualTo(8);
        assertThat(pieces.get(0).records()).extracting(ConsumerRecord::offset).containsExactly(8L);
        assertThat(pieces.get(1).first()).isEqualTo(8);
    }

    @Test
    @Tag("O-20")
    void shouldCountTheHeadersOfRecordsItHolds() {
        // given: a sixteenth of 8 MiB for each partition
        consumer.schedulePollTask(() -> {
            for (long offset = 3; offset < 9; offset++) {
                ConsumerRecord<byte[], byte[]> record = record(0, offset, 10);
                record.headers().add("h", new byte[300 << 10]).add("none", null);
                consumer.addRecord(record);
            }
        });

        // when
        Piece piece = open().read(Map.of(0, new Span(3, 9)), inTime()).get(0);

        // then
        assertThat(piece.first()).isEqualTo(8);
        assertThat(piece.records()).extracting(ConsumerRecord::offset).containsExactly(8L);
    }

    @Test
    void shouldShowRecordsUntilTheVisitorSaysNo() {
        // given
        records(10, 3, 4, 5, 6, 7, 8);
        RecordLog log = open();
        List<Long> seen = new ArrayList<>();

        // when
        boolean isComplete = log.visit(
                Map.of(2, new Span(4, 9)),
                record -> {
                    seen.add(record.offset());
                    return record.offset() < 6;
                },
                inTime());

        // then
        assertThat(isComplete).isFalse();
        assertThat(seen).containsExactly(4L, 5L, 6L);
        records(10, 4, 5);
        assertThat(log.visit(Map.of(2, new Span(4, 6)), record -> true, inTime()))
                .isTrue();
        assertThat(log.visit(Map.of(), record -> false, inTime())).isTrue();
    }

    @Test
    void shouldGiveUpAtTheDeadline() {
        // given
        RecordLog log = open();

        // then
        assertThatThrownBy(() -> log.read(Map.of(0, new Span(4, 7)), System.nanoTime() - 1))
                .isInstanceOf(RecordLog.TimeUpException.class);
    }

    @Test
    void shouldGiveUpWhenTheCallerIsGone() {
        // given
        RecordLog log = open();
        AtomicInteger looks = new AtomicInteger();

        // then: no record comes, and the deadline is far away
        assertThatThrownBy(() -> Audience.during(
                        () -> looks.incrementAndGet() < 3,
                        () -> log.read(Map.of(0, new Span(4, 7)), System.nanoTime() + 10_000_000_000L)))
                .isInstanceOf(Audience.GoneException.class);
        assertThat(looks).hasValue(3);
    }

    @Test
    void shouldGiveItsConsumerBack() {
        // given
        RecordLog log = open();
        log.ends();

        // when
        log.close();

        // then
        assertThat(consumer.closed()).isFalse();
        assertThat(consumer.assignment()).isEmpty();
        assertThat(readers.take().reader()).isSameAs(consumer);
    }

    private RecordLog open() {
        return KafkaRecordLog.open(readers.take(), "t");
    }

    private static long inTime() {
        return System.nanoTime() + 10_000_000_000L;
    }

    /** Adds equal records to each partition that the consumer asks for. */
    private void records(int bytes, long... offsets) {
        consumer.schedulePollTask(() -> {
            for (TopicPartition partition : consumer.assignment()) {
                for (long offset : offsets) {
                    if (offset >= consumer.position(partition)) {
                        consumer.addRecord(record(partition.partition(), offset, bytes));
                    }
                }
            }
        });
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, long offset, int bytes) {
        return new ConsumerRecord<>(
                "t",
                partition,
                offset,
                0,
                TimestampType.LOG_APPEND_TIME,
                0,
                bytes,
                new byte[0],
                new byte[bytes],
                new RecordHeaders(),
                Optional.empty());
    }

    private static final class PolledConsumer extends MockConsumer<byte[], byte[]> {

        private int polls;

        PolledConsumer() {
            super("earliest");
        }

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            polls++;
            return super.poll(timeout);
        }
    }
}
