package dev.ebb.wire.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.cli.FakeStatus;
import dev.ebb.port.StatusView.CountsView;
import dev.ebb.port.StatusView.NamespaceView;
import dev.ebb.port.StatusView.RemovedView;
import dev.ebb.wire.instance.InstancesSumView.StaleStream;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class InstancesSumViewTest {

    private final FakeStatus one = new FakeStatus("one");
    private final FakeStatus two = new FakeStatus("two");

    @Test
    void shouldAddUpContentsInTotalAndByNamespace() {
        // given
        one.namespaces.put("a", new NamespaceView(1, 10, 100, 2, 3, 4));
        two.namespaces.put("a", new NamespaceView(5, 20, 300, 6, 7, 8));
        two.namespaces.put("b", new NamespaceView(1, 1, 1, 1, 1, 1));

        // when
        InstancesSumView sum = FakeStatus.all(one, two).sum();

        // then
        assertThat(sum.namespaces())
                .isEqualTo(Map.of(
                        "a", new NamespaceView(6, 30, 400, 8, 10, 12), "b", new NamespaceView(1, 1, 1, 1, 1, 1)));
        assertThat(sum.stored()).isEqualTo(new NamespaceView(7, 31, 401, 9, 11, 13));
    }

    @Test
    void shouldAddUpCountsAndRemovalsByCause() {
        // given
        one.removed.put("TTL", new RemovedView(1, 10));
        one.removed.put("MAX_AGE", new RemovedView(2, 20));
        two.removed.put("TTL", new RemovedView(3, 30));

        // then
        assertThat(FakeStatus.all(one, two).sum().counts())
                .isEqualTo(new CountsView(
                        10, 0, 0, 0, 0, 0, Map.of("TTL", new RemovedView(4, 40), "MAX_AGE", new RemovedView(2, 20))));
        assertThat(new CountsView(1, 2, 3, 4, 5, 6, Map.of()).plus(new CountsView(10, 20, 30, 40, 50, 60, Map.of())))
                .isEqualTo(new CountsView(11, 22, 33, 44, 55, 66, Map.of()));
    }

    @Test
    void shouldAddUpWhatWaitsAndWhatIsQuarantinedOverPartitions() {
        // given
        one.partition(0).parkedRecords = 3;
        one.partition(1).quarantinedStreams = 2;
        FakeStatus.Partition third = two.partition(2);
        third.parkedRecords = 4;
        third.quarantinedStreams = 5;

        // when
        InstancesSumView sum = FakeStatus.all(one, two).sum();

        // then
        assertThat(sum.parkedRecords()).isEqualTo(7);
        assertThat(sum.quarantinedStreams()).isEqualTo(7);
        assertThat(sum.staleEvents()).isZero();
        assertThat(sum.staleStreams()).isEmpty();
    }

    @Test
    void shouldNameTheStreamsWithTheMostStaleWork() {
        // given
        Map<String, Long> streams = new TreeMap<>();
        for (long i = 1; i <= 21; i++) {
            streams.put("s/" + i, i);
        }
        FakeStatus.Partition partition = one.partition(0);
        partition.staleStreams = streams;
        partition.staleEvents = 300;
        FakeStatus.Partition other = two.partition(1);
        other.staleStreams = Map.of("t", 20L);
        other.staleEvents = 20;

        // when
        InstancesSumView sum = FakeStatus.all(one, two).sum();

        // then
        assertThat(sum.staleEvents()).isEqualTo(320);
        assertThat(sum.staleStreams())
                .hasSize(20)
                .startsWith(new StaleStream("s/21", 21), new StaleStream("s/20", 20), new StaleStream("t", 20))
                .endsWith(new StaleStream("s/3", 3));
    }
}
