package dev.ebb.runtime.trash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.topology.trash.TestSeals;
import dev.ebb.topology.trash.TrashSource.Audit;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The trash on its topic, as the tasks of one instance read it. */
@Tag("T-16")
class KafkaTrashTest {

    private final CountDownLatch isConnected = new CountDownLatch(1);

    private final KafkaTrash trash = new KafkaTrash("ebb.trash", () -> {
        awaitConnection();
        return new MockConsumer<>("earliest");
    });

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

    private Audit audit(int partition) {
        return Objects.requireNonNull(trash.audit(partition, TestSeals.guard(), Audit.UNKNOWN));
    }

    private void awaitConnection() {
        try {
            isConnected.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
