package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class LogSpanTest {

    private static final TopicPartition PARTITION = new TopicPartition("topic", 0);
    private static final long PATIENCE_NS = Duration.ofSeconds(30).toNanos();

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final List<Long> seen = new ArrayList<>();

    private MockConsumer<byte[], byte[]> log(long... offsets) {
        MockConsumer<byte[], byte[]> log = new MockConsumer<>("earliest");
        log.assign(List.of(PARTITION));
        log.updateBeginningOffsets(Map.of(PARTITION, 0L));
        for (long offset : offsets) {
            log.addRecord(new ConsumerRecord<>("topic", 0, offset, new byte[0], new byte[0]));
        }
        return log;
    }

    private void read(MockConsumer<byte[], byte[]> log, long from, long to) {
        new LogSpan(PARTITION, from, to).read(log, record -> seen.add(record.offset()), nanos::get);
    }

    @Test
    void shouldShowTheRecordsFromTheFirstOffsetUpToTheLast() {
        read(log(2, 3, 4, 5, 6, 7), 3, 6);

        assertThat(seen).containsExactly(3L, 4L, 5L);
    }

    @Test
    void shouldReadNothingWhereTheSpanIsEmpty() {
        read(log(3), 3, 3);

        assertThat(seen).isEmpty();
    }

    @Test
    void shouldEndBehindOffsetsWithoutARecord() {
        read(log(3, 9), 3, 6);

        assertThat(seen).containsExactly(3L);
    }

    @Test
    void shouldGiveUpOnceNothingCameForLong() {
        MockConsumer<byte[], byte[]> log = log(3);
        long begun = nanos.get();
        for (long wait : List.of(0L, PATIENCE_NS - 1, 1L, 1L)) {
            log.schedulePollTask(() -> nanos.addAndGet(wait));
        }
        log.schedulePollTask(() -> {
            throw new AssertionError("it goes on");
        });

        assertThatThrownBy(() -> read(log, 3, 6))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("no records of topic-0 came for 30 s");
        assertThat(nanos.get() - begun).isEqualTo(PATIENCE_NS + 1);
    }

    @Test
    void shouldWaitOnAsLongAsRecordsCome() {
        MockConsumer<byte[], byte[]> log = log();
        for (long offset = 3; offset < 6; offset++) {
            long next = offset;
            log.schedulePollTask(() -> nanos.addAndGet(PATIENCE_NS));
            log.schedulePollTask(() -> log.addRecord(new ConsumerRecord<>("topic", 0, next, new byte[0], new byte[0])));
        }

        read(log, 3, 6);

        assertThat(seen).containsExactly(3L, 4L, 5L);
    }
}
