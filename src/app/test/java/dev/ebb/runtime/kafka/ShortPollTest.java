package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A-6")
class ShortPollTest {

    private static final TopicPartition PARTITION = new TopicPartition("events", 0);

    @ParameterizedTest
    @CsvSource({"1000, 0, true", "1000, 99, true", "1000, 100, true", "1000, 101, false", "60, 6, true", "60, 7, false"
    })
    void shouldLeaveNoneBehindAFewRecords(int most, int brought, boolean leavesNone) {
        // given
        ShortPoll poll = new ShortPoll(Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, most));

        // then
        assertThat(poll.leavesNone(records(brought, 1))).isEqualTo(leavesNone);
    }

    @ParameterizedTest
    @CsvSource({"99, true", "100, true", "101, false"})
    void shouldLeaveSomeBehindALargeOne(int bytes, boolean leavesNone) {
        // given
        ShortPoll poll = new ShortPoll(Map.of(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 2000));

        // then
        assertThat(poll.leavesNone(records(2, bytes))).isEqualTo(leavesNone);
    }

    @Test
    void shouldCountATombstoneAsNothing() {
        // given
        ShortPoll poll = new ShortPoll(Map.of(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "10"));

        // then
        assertThat(poll.leavesNone(records(3, -1))).isTrue();
    }

    private static ConsumerRecords<byte[], byte[]> records(int number, int bytes) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(
                PARTITION.topic(),
                PARTITION.partition(),
                0,
                0,
                TimestampType.CREATE_TIME,
                0,
                bytes,
                null,
                bytes < 0 ? null : new byte[bytes],
                new RecordHeaders(),
                Optional.empty());
        return new ConsumerRecords<>(Map.of(PARTITION, Collections.nCopies(number, record)), Map.of());
    }
}
