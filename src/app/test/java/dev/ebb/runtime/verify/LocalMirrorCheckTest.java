package dev.ebb.runtime.verify;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.port.MirrorCheck.Group;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.topology.wire.StreamPartition;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-15")
class LocalMirrorCheckTest {

    private static final int PARTITIONS = 6;
    private static final String STREAM = "orders/1";
    private static final int PARTITION = StreamPartition.of(new StreamName(STREAM), PARTITIONS);

    private final LocalMirrorCheck check = new LocalMirrorCheck(
            new Elsewhere(),
            PARTITIONS,
            LocalMirrorCheckTest::notAsked,
            LocalMirrorCheckTest::notAsked,
            LocalMirrorCheckTest::notAsked);

    @Test
    void shouldNameTheInstanceThatKeepsThePartition() {
        List<ThrowingCallable> questions = List.of(
                () -> check.stored(PARTITION, MirrorTable.EVENTS, null),
                () -> check.differences(new Group(MirrorTable.EVENTS, STREAM, "2026-11"), null),
                () -> check.look(STREAM, List.of(), List.of(7L)));

        for (ThrowingCallable question : questions) {
            assertThatThrownBy(question)
                    .isInstanceOf(OtherInstanceException.class)
                    .hasMessageContaining("partition " + PARTITION + " ")
                    .hasMessageContaining("other:8480");
        }
    }

    private static <T> T notAsked() {
        throw new NotReadyException("SQL is away", Duration.ofSeconds(1));
    }

    /** Stores as a stream thread shows them for a partition that moved away, with its new owner. */
    private static final class Elsewhere implements PartitionStores {

        @Override
        public ReadOnlyEventStore of(int partition) {
            throw new InvalidStateStoreException("not here");
        }

        @Override
        public RuntimeException missing(int partition) {
            return new OtherInstanceException("partition " + partition, "other:8480");
        }
    }
}
