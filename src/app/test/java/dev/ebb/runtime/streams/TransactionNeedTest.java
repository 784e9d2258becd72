package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-6")
class TransactionNeedTest {

    private static final TopicPartition FIRST = new TopicPartition("events", 0);
    private static final TopicPartition SECOND = new TopicPartition("events", 1);
    private static final long SILENCE = TransactionNeed.LONGEST_SILENCE.toNanos();

    private final TransactionNeed need = new TransactionNeed();

    @BeforeEach
    void commitSome() {
        commit(Map.of(FIRST, at(5), SECOND, at(7)));
    }

    @Test
    void shouldSendNoOffsetsThatAreCommittedAlready() {
        // when
        need.asked();

        // then
        assertThat(need.ofOffsets(Map.of(FIRST, at(5), SECOND, at(7)), SILENCE - 1))
                .isFalse();
        assertThat(need.ofOffsets(Map.of(SECOND, at(7)), SILENCE - 1)).isFalse();
        assertThat(need.isBegun()).isFalse();
    }

    @Test
    void shouldSendOtherOffsets() {
        // when
        need.asked();

        // then
        assertThat(need.ofOffsets(Map.of(FIRST, at(5), SECOND, at(8)), 0)).isTrue();
        assertThat(need.ofOffsets(Map.of(FIRST, new OffsetAndMetadata(5, "later")), 0))
                .isTrue();
        assertThat(need.ofOffsets(Map.of(new TopicPartition("rekey", 0), at(0)), 0))
                .isTrue();
        assertThat(need.isToBegin()).isTrue();
    }

    @Test
    void shouldSendOffsetsWithRecords() {
        // given
        need.asked();
        assertThat(need.isToBegin()).isTrue();

        // when
        need.begun();

        // then
        assertThat(need.isToBegin()).isFalse();
        assertThat(need.ofOffsets(Map.of(FIRST, at(5)), 0)).isTrue();
    }

    @Test
    void shouldSendOffsetsAfterALongSilence() {
        // given
        assertThat(need.ofOffsets(Map.of(FIRST, at(5)), SILENCE - 1)).isFalse();

        // then
        assertThat(need.ofOffsets(Map.of(FIRST, at(5)), SILENCE)).isTrue();
    }

    @Test
    void shouldBeSilentForLongAgainAfterACommit() {
        // when
        need.asked();
        need.begun();
        need.committed(SILENCE);

        // then
        assertThat(need.ofOffsets(Map.of(FIRST, at(5)), 2 * SILENCE - 1)).isFalse();
    }

    @Test
    void shouldStaySilentOnlyFromTheLastCommitOnThatSaidSomething() {
        // when
        need.asked();
        need.committed(SILENCE - 1);

        // then
        assertThat(need.ofOffsets(Map.of(FIRST, at(5)), SILENCE)).isTrue();
    }

    @Test
    void shouldTakeNoOffsetsForCommittedThatWereNot() {
        // given
        need.asked();
        need.begun();
        need.ofOffsets(Map.of(FIRST, at(6)), 0);

        // when
        need.aborted();

        // then
        assertThat(need.isBegun()).isFalse();
        assertThat(need.isToBegin()).isFalse();
        assertThat(need.ofOffsets(Map.of(FIRST, at(6)), 0)).isTrue();
        assertThat(need.ofOffsets(Map.of(FIRST, at(5)), 0)).isTrue();
    }

    private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        need.asked();
        need.begun();
        need.ofOffsets(offsets, 0);
        need.committed(0);
    }

    private static OffsetAndMetadata at(long offset) {
        return new OffsetAndMetadata(offset, "");
    }
}
