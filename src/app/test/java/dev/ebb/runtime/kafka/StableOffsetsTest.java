package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A start right after a kill must not take an offset that is not settled for one that is not there. */
@Tag("I-7")
class StableOffsetsTest {

    private static final TopicPartition A = new TopicPartition("ebb.events", 0);
    private static final TopicPartition B = new TopicPartition("ebb.events", 1);
    private static final OffsetAndMetadata SEVEN = new OffsetAndMetadata(7);

    private final Deque<Map<TopicPartition, OffsetAndMetadata>> answers = new ArrayDeque<>();

    @Test
    void shouldWaitForTheOffsetOfAnOpenTransaction() {
        // given
        answers.add(answer(A));
        answers.add(answer(A, B));

        // then
        assertThat(asked(2)).containsOnly(Map.entry(A, SEVEN), Map.entry(B, SEVEN));
        assertThat(answers).isEmpty();
    }

    @Test
    void shouldLeaveOutAPartitionWithoutAnOffset() {
        // given
        Map<TopicPartition, OffsetAndMetadata> answer = answer(A);
        answer.put(B, null);
        answers.add(answer);

        // then
        assertThat(asked(1)).containsOnly(Map.entry(A, SEVEN));
    }

    @Test
    void shouldSayThatATransactionDoesNotEnd() {
        // given
        answers.add(answer(A));
        answers.add(answer(A));

        // then
        assertThatThrownBy(() -> asked(2)).isInstanceOf(TimeoutException.class).hasMessageContaining("transaction");
    }

    private Map<TopicPartition, OffsetAndMetadata> asked(int most) {
        return StableOffsets.of(answers::remove, List.of(A, B), most, Duration.ZERO);
    }

    private static Map<TopicPartition, OffsetAndMetadata> answer(TopicPartition... partitions) {
        Map<TopicPartition, OffsetAndMetadata> answer = new HashMap<>();
        List.of(partitions).forEach(partition -> answer.put(partition, SEVEN));
        return answer;
    }
}
