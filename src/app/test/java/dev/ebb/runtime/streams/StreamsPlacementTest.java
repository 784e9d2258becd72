package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.port.NotReadyException;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-17")
class StreamsPlacementTest {

    private final List<StreamsMetadata> members = new ArrayList<>();
    private @Nullable String absence;
    private final StreamsPlacement placement =
            new StreamsPlacement("a:1", new Topics("ebb.", 4), () -> absence, () -> members);

    @Test
    void shouldTellKeepersAndFollowersOfPartitions() {
        // given a partition of another topic as well, and one without a keeper
        members.add(new Member("a", 1, Set.of(partition(0)), Set.of(partition(1))));
        members.add(new Member(
                "::1", 2, Set.of(partition(1), partition(2), new TopicPartition("other", 3)), Set.of(partition(0))));
        members.add(new Member("c", 3, Set.of(), Set.of(partition(0))));

        // then
        assertThat(placement.keepers()).isEqualTo(Map.of(0, "a:1", 1, "[::1]:2", 2, "[::1]:2"));
        assertThat(placement.followers(0)).containsExactly("[::1]:2", "c:3");
        assertThat(placement.followers(1)).containsExactly("a:1");
        assertThat(placement.followers(3)).isEmpty();
        assertThat(placement.instances()).containsExactly("[::1]:2", "a:1", "c:3");
        assertThat(placement.self()).isEqualTo("a:1");
        StreamName stream = new StreamName("orders/eu-1");
        assertThat(placement.partitionOf(stream)).isEqualTo(StreamPartition.of(stream, 4));
    }

    @Test
    void shouldKnowNothingOfOthersBeforeItBelongsToThem() {
        // given
        members.add(new Member("c", 3, Set.of(partition(0)), Set.of()));
        absence = "not yet";

        // then
        assertThatThrownBy(placement::keepers)
                .isInstanceOf(NotReadyException.class)
                .hasMessage("not yet");
        assertThat(placement.followers(0)).isEmpty();
        assertThat(placement.instances()).containsExactly("a:1");
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition("ebb.events", number);
    }

    private record Member(
            String host, int port, Set<TopicPartition> topicPartitions, Set<TopicPartition> standbyTopicPartitions)
            implements StreamsMetadata {

        @Override
        public HostInfo hostInfo() {
            return new HostInfo(host, port);
        }

        @Override
        public Set<String> stateStoreNames() {
            return Set.of();
        }

        @Override
        public Set<String> standbyStateStoreNames() {
            return Set.of();
        }
    }
}
