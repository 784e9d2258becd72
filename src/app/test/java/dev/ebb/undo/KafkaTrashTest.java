package dev.ebb.undo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.topology.trash.TestSeals;
import dev.ebb.topology.trash.TrashSource.Audit;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The trash on its topic, as the tasks of one instance read it. */
@Tag("T-16")
@Timeout(60)
class KafkaTrashTest {

    private final CountDownLatch isConnected = new CountDownLatch(1);

    private final AtomicLong nowNanos = new AtomicLong();

    private final KafkaTrash trash = new KafkaTrash(
            "ebb.trash",
            () -> {
                await(isConnected);
                return new MockConsumer<>("earliest");
            },
            nowNanos::get);

    /** All tasks begin at once, and each may have to read the whole of its partition. */
    @Test
    void shouldAuditOnePartitionAfterTheOther() {
        Audit first = audit(0);

        assertThat(trash.audit(1, TestSeals.guard(), Audit.UNKNOWN)).isNull();
        first.close();
        Audit second = audit(1);
        assertThat(trash.audit(0, TestSeals.guard(), Audit.UNKNOWN)).isNull();

        second.close();
        isConnected.countDown();
    }

    /** The topic may have been made anew: then its former end is never reached. */
    @Test
    void shouldGoOnWithTheNextPartitionAfterAnAuditThatIsStuck() {
        // given
        Audit stuck = audit(0);
        nowNanos.addAndGet(TrashAuditing.PATIENCE.toNanos() - 1);
        assertThat(trash.audit(1, TestSeals.guard(), Audit.UNKNOWN)).isNull();
        assertThat(stuck.isDone()).isFalse();

        // when
        nowNanos.incrementAndGet();
        Audit next = audit(1);

        // then
        assertThat(stuck.isDone()).isTrue();
        assertThat(stuck.problem()).contains("no record for 10 minutes");
        assertThat(stuck.head()).isEqualTo(Audit.UNKNOWN);
        assertThat(next.isDone()).isFalse();

        next.close();
        isConnected.countDown();
    }

    @Test
    void shouldGoOnWithTheNextPartitionAfterAnError() {
        // given an audit of which nobody asks
        CountDownLatch failed = new CountDownLatch(1);
        KafkaTrash broken = new KafkaTrash("ebb.trash", () -> {
            failed.countDown();
            throw new OutOfMemoryError("heap");
        });
        Audit first = Objects.requireNonNull(broken.audit(0, TestSeals.guard(), Audit.UNKNOWN));

        // then
        await(failed);
        while (!first.isDone() && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        assertThat(first.problem()).contains("heap");
        assertThat(broken.audit(1, TestSeals.guard(), Audit.UNKNOWN)).isNotNull();
    }

    private Audit audit(int partition) {
        return Objects.requireNonNull(trash.audit(partition, TestSeals.guard(), Audit.UNKNOWN));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
