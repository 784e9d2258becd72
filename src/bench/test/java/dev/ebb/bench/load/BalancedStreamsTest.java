package dev.ebb.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.domain.event.StreamName;
import dev.ebb.topology.wire.StreamPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class BalancedStreamsTest {

    @Test
    void shouldGiveEachPartitionTheSamePartOfTheEvents() {
        // given
        Zipf activity = new Zipf(1000);

        // when
        List<StreamName> streams = BalancedStreams.of(activity, 4);

        // then
        double[] load = new double[4];
        for (int i = 0; i < streams.size(); i++) {
            load[StreamPartition.of(streams.get(i), 4)] += activity.share(i);
        }
        assertThat(streams).hasSize(1000).doesNotHaveDuplicates();
        assertThat(load).containsExactly(new double[] {0.25, 0.25, 0.25, 0.25}, within(0.001));
    }
}
